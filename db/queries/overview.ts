import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { SourceKind } from "@/db/schema/columns";
import type { Outcome } from "@/lib/trajectory/types";
import { environmentOf } from "./environments";
import { all } from "./prepared";

export interface CorpusOverview {
  trajectories: number;
  steps: number;
  errorSteps: number;
  environments: number;
  models: number;
  outcomes: Record<Outcome, number>;
  /** Of the trajectories those without any step, results alone, by outcome. */
  withoutSteps: Record<Outcome, number>;
  formats: { format: string; trajectories: number; steps: number }[];
  /** Stages of the method after reading; 0 means "nothing there yet". */
  prefixes: { drawn: number; kept: number };
  trainings: number;
  /** Rollouts of profiles that were discarded or void, and error steps with a teacher's accepted correction. */
  profiles: { discarded: number; void: number; corrected: number };
}

/** The whole index at a glance, from maintained counters. */
export function corpusOverview(db: Db): CorpusOverview {
  const s = db.$client;
  const { column, join } = environmentOf(db);
  const totals = s
    .prepare<[], { trajectories: number; steps: number; errorSteps: number; environments: number; models: number }>(
      `select ifnull(sum(k.trajectories), 0) as trajectories, ifnull(sum(k.steps), 0) as steps,
         ifnull(sum(k.error_steps), 0) as errorSteps,
         count(distinct case when k.environment_id > 0 and k.trajectories > 0 then ${column} end) as environments,
         count(distinct case when k.checkpoint_id > 0 and k.trajectories > 0 then k.checkpoint_id end) as models
       from corpus_count k ${join}`,
    )
    .get() ?? { trajectories: 0, steps: 0, errorSteps: 0, environments: 0, models: 0 };
  const byOutcome = (sql: string): Record<Outcome, number> => {
    const counts = { passed: 0, partial: 0, failed: 0, unknown: 0 };
    for (const r of s.prepare<[], { outcome: Outcome; n: number }>(sql).all()) counts[r.outcome] = r.n;
    return counts;
  };
  const outcomes = byOutcome("select outcome, sum(trajectories) as n from corpus_count group by outcome");
  const withoutSteps = byOutcome(
    "select outcome, count(*) as n from trajectory where steps = 0 and superseded_by is null group by outcome",
  );
  const formats = s
    .prepare<[], CorpusOverview["formats"][number]>(
      "select format, sum(trajectories) as trajectories, sum(steps) as steps from corpus_count group by format having sum(trajectories) > 0 order by trajectories desc",
    )
    .all();
  const prefixes = s
    .prepare<[], CorpusOverview["prefixes"]>(
      "select count(*) as drawn, count(case when status = 'kept' then 1 end) as kept from prefix",
    )
    .get();
  const rollouts = s
    .prepare<[], { discarded: number; void: number }>(
      `select count(case when status = 'discarded' then 1 end) as discarded, count(case when status = 'void' then 1 end) as void
       from profile_rollout`,
    )
    .get();
  const corrected = s
    .prepare("select count(*) from correction where source = 'teacher' and accepted = 1")
    .pluck()
    .get() as number;
  const trainings = s.prepare("select count(*) from training_run").pluck().get() as number;
  return {
    ...totals,
    outcomes,
    withoutSteps,
    formats,
    prefixes: prefixes ?? { drawn: 0, kept: 0 },
    trainings,
    profiles: { discarded: rollouts?.discarded ?? 0, void: rollouts?.void ?? 0, corrected },
  };
}

/** Error steps by who calls them wrong now. A step may count for several of them. */
export interface SaidBy {
  /** rule | model | person | dataset */
  kind: SourceKind;
  /** Of the localizer or the data set, all versions together. */
  name: string;
  errorSteps: number;
}

/** Who says so of the error steps, most first. Reads every verdict there is: not for a page's first paint. */
export const errorStepsBySource = (db: Db): SaidBy[] =>
  all<SaidBy>(
    db,
    `select z.kind, z.name, count(distinct l.step_id) as errorSteps from localizer z
       join localization l on l.localizer_id = z.id and l.current = 1 and l.verdict = 'bad'
       join trajectory t on t.id = l.step_id / ${SPAN} and t.superseded_by is null
     group by z.kind, z.name order by errorSteps desc, z.kind, z.name`,
  );
