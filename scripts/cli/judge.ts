import { Command } from "commander";
import { NothingToLearn, trainJudge } from "@/lib/evaluate/behavior/trainJudge";
import {
  type LearnedJudgeFile,
  learnedJudges,
  readLearnedJudge,
  UnusableName,
} from "@/lib/reward/behaviorJudge/learnedFile";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { usable } from "./profile";

const share = (x: number | null): string => (x === null ? "not known" : `${(100 * x).toFixed(1)}%`);

function linesOf({ name, hash, trainedOn, modes, refused }: LearnedJudgeFile): string[] {
  return [
    `learned:${name} ${hash.slice(0, 12)}, from ${trainedOn.from} of measurement ${trainedOn.measurement} (${trainedOn.measurementName})`,
    ...modes.map(
      ({ misbehavior, yes, no, environments, quality: q }) =>
        `  ${misbehavior}: ${yes} yes, ${no} no in ${environments} environments; on unseen environments precision ${share(q.precision)}, recall ${share(q.recall)}, AUC ${q.auc === null ? "not known" : q.auc.toFixed(3)} (${q.windows} windows)`,
    ),
    ...refused.map((r) => `  ${r.misbehavior}: not learned, ${r.reason}`),
  ];
}

/** What is stored, without the weights. */
const said = ({ modes, ...rest }: LearnedJudgeFile) => ({
  ...rest,
  modes: modes.map(({ weights, bias: _, ...mode }) => ({ ...mode, features: weights.length })),
});

/** misstep judge train|list */
export function judgeCommand(): Command {
  const train = new Command("train")
    .description("learn a behavior judge from the windows of a measurement; cross-validated by environment")
    .requiredOption("--measurement <id>", "whose windows", parseId)
    .requiredOption("--from <who>", "people, or a judge of the measurement, such as rules")
    .requiredOption("--name <name>", "use it as learned:NAME wherever a behavior judge is chosen")
    .option("--json", "print JSON")
    .action(
      ({ measurement, from, name, ...options }: { measurement: number; from: string; name: string } & JsonOption) => {
        try {
          const judge = trainJudge(openIndex(), { measurement, from, name });
          print(options, said(judge), () => linesOf(judge));
        } catch (error) {
          if (error instanceof NothingToLearn || error instanceof UnusableName) throw new UsageError(error.message);
          throw error;
        }
      },
    );
  const list = new Command("list")
    .description("learned judges of this home with their quality")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const judges = usable(() => learnedJudges().map(readLearnedJudge));
      print(options, judges.map(said), () =>
        judges.length === 0 ? ["no judge was learned yet; misstep judge train"] : judges.flatMap(linesOf),
      );
    });
  return new Command("judge").description("behavior judges learned from labels").addCommand(train).addCommand(list);
}
