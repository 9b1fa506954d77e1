import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { groupBy } from "@/lib/evaluate/groupBy";
import { crossValidate, type PlacedExample } from "@/lib/reward/behaviorJudge/crossValidate";
import { featuresOf } from "@/lib/reward/behaviorJudge/features";
import { checkNewName, type LearnedJudgeFile, writeLearnedJudge } from "@/lib/reward/behaviorJudge/learnedFile";
import { trainLogistic } from "@/lib/reward/behaviorJudge/logistic";
import { judgedMode } from "@/lib/train/rollout/starts";
import { behaviorProtocol } from "./settings";
import { readableSamples, windowReader } from "./window";

/** There is nothing a judge could learn from. The message says why, by misbehavior. */
export class NothingToLearn extends Error {}

export interface JudgeTraining {
  measurement: number;
  /** "people", or the name of a judge of the measurement, with its version or without. */
  from: string;
  name: string;
}

/** Answers of people: the majority of the authors' newest; ties and "unsure" are none. Random or not: all teach. */
const PEOPLE = `with newest as (
    select sample_id, answer, row_number() over (partition by sample_id, author order by id desc) as place from window_label
  )
  select s.id, sum(n.answer = 'yes') > sum(n.answer = 'no') as yes from behavior_sample s join newest n on n.sample_id = s.id and n.place = 1
  where s.evaluation_id = ? group by s.id having sum(n.answer = 'yes') <> sum(n.answer = 'no')`;

function answersOf(db: Db, measurement: number, from: string): { judge: string; answers: Map<number, boolean> } {
  if (from === "people") {
    const rows = statement(db, PEOPLE).all(measurement) as { id: number; yes: number }[];
    if (rows.length === 0)
      throw new NothingToLearn(
        `no window of measurement ${measurement} has a label of people; misstep measure labels export draws some`,
      );
    return { judge: "people", answers: new Map(rows.map((r) => [r.id, r.yes === 1])) };
  }
  const judges = statement(
    db,
    "select distinct v.judge from behavior_sample s join behavior_verdict v on v.sample_id = s.id where s.evaluation_id = ? order by 1",
  )
    .pluck()
    .all(measurement) as string[];
  const found = judges.filter((judge) => judge === from || judge.startsWith(`${from} `));
  const judge = found[0];
  if (judge === undefined || found.length > 1)
    throw new NothingToLearn(
      `${found.length > 1 ? `"${from}" means several` : `"${from}" is no`} judge of measurement ${measurement}; there are: people, ${judges.join(", ")}`,
    );
  const rows = statement(
    db,
    `select s.id, v.answer = 'yes' as yes from behavior_sample s join behavior_verdict v on v.sample_id = s.id
     where s.evaluation_id = ? and v.judge = ? and v.answer in ('yes', 'no')`,
  ).all(measurement, judge) as { id: number; yes: number }[];
  return { judge, answers: new Map(rows.map((r) => [r.id, r.yes === 1])) };
}

/** Why these examples teach nothing; null: they do. */
function lacking(examples: readonly PlacedExample[]): string | null {
  const yes = examples.filter((e) => e.yes).length;
  if (yes === 0) return `none of its ${examples.length} windows is called yes`;
  if (yes === examples.length) return `all of its ${examples.length} windows are called yes`;
  const environments = new Set(examples.map((e) => e.environment)).size;
  return environments < 2 ? "its windows are of one environment, so nothing shows whether it holds in another" : null;
}

/**
 * Trains a judge on the windows of a measurement, a model a misbehavior, and keeps it in the home folder with how it does on
 * environments it did not see. Throws NothingToLearn and UnusableName.
 */
export function trainJudge(db: Db, { measurement, from, name }: JudgeTraining): LearnedJudgeFile {
  checkNewName(name);
  const row = statement(db, "select name, protocol from evaluation where id = ? and kind = 'misbehavior-rate'").get(
    measurement,
  ) as { name: string; protocol: string } | undefined;
  if (!row) throw new NothingToLearn(`there is no measurement ${measurement}; misstep measure makes one`);
  const { window } = behaviorProtocol.parse(JSON.parse(row.protocol));
  const { judge, answers } = answersOf(db, measurement, from);
  const read = windowReader(db, window);
  const examples = readableSamples(db, measurement).flatMap((sample) => {
    const yes = answers.get(sample.id);
    if (yes === undefined) return [];
    const { environment, prefix, steps } = read(sample);
    return [
      {
        errorTypeId: sample.errorTypeId,
        environment: environment.name,
        features: featuresOf(steps, prefix.steps),
        yes,
      },
    ];
  });
  const modes: LearnedJudgeFile["modes"] = [];
  const refused: LearnedJudgeFile["refused"] = [];
  for (const [errorTypeId, own] of groupBy(examples, (e) => e.errorTypeId)) {
    const misbehavior = judgedMode(db, errorTypeId).name;
    const reason = lacking(own);
    if (reason !== null) {
      refused.push({ misbehavior, reason });
      continue;
    }
    const yes = own.filter((e) => e.yes).length;
    modes.push({
      ...{ misbehavior, yes, no: own.length - yes },
      environments: new Set(own.map((e) => e.environment)).size,
      quality: crossValidate(own),
      ...trainLogistic(own),
    });
  }
  if (modes.length === 0)
    throw new NothingToLearn(
      `a judge needs windows called yes and windows called no: ${refused.map((r) => `${r.misbehavior}: ${r.reason}`).join("; ") || "no window has an answer"}`,
    );
  const environments = [...new Set(examples.map((e) => e.environment))].sort();
  const trainedOn = { measurement, measurementName: row.name, from: judge, environments };
  return writeLearnedJudge({ format: "misstep-judge", version: 2, name, window, trainedOn, modes, refused });
}
