import { Command } from "commander";
import { corpusByModel, countsByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { corpusOverview } from "@/db/queries/overview";
import { formatCount, formatShare } from "@/lib/text/format";
import { type JsonOption, openIndex, print } from "./output";

/** misstep stats */
export function statsCommand(): Command {
  return new Command("stats")
    .description("counts of the index: trajectories, outcomes, misbehaviors with shares and coverage, by model")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const corpus = corpusOverview(db);
      const types = misbehaviorOverview(db);
      const rows = [
        ...types.rows,
        { name: "At least one of these", ...types.named },
        { name: "Unlabelled", ...types.unlabelled },
      ];
      print(options, { corpus, misbehaviors: types, models: corpusByModel(db), byModel: countsByModel(db) }, () => [
        `${formatCount(corpus.trajectories)} trajectories, ${formatCount(corpus.steps)} steps, ${formatCount(corpus.environments)} environments, ${formatCount(corpus.models)} models`,
        `outcomes: ${Object.entries(corpus.outcomes)
          .map(([name, n]) => `${formatCount(n)} ${name}`)
          .join(", ")}`,
        `${formatCount(types.all.errorSteps)} error steps`,
        ...rows.map(
          (r) =>
            `  ${r.name.padEnd(48)} ${formatCount(r.errorSteps).padStart(8)}  ${formatShare(r.errorSteps, types.all.errorSteps).padStart(6)} of error steps  ${formatShare(r.environments, types.corpus.environments).padStart(6)} of environments`,
        ),
      ]);
    });
}
