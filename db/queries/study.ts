import "server-only";
import type { Db } from "@/db/client";
import { all, marks, one } from "./prepared";

/** A checkpoint by its row, with the training step it was kept after. */
export interface NamedCheckpoint {
  id: number;
  name: string;
  trainingStep: number | null;
}

export const namedCheckpoints = (db: Db, ids: readonly number[]): Map<number, NamedCheckpoint> =>
  new Map(
    all<NamedCheckpoint>(
      db,
      `select id, name, training_step as trainingStep from checkpoint where id in (${marks(ids)})`,
      ...ids,
    ).map((row) => [row.id, row]),
  );

/** Data sets of the environments that these evaluations scored. */
export const scoredDatasets = (db: Db, evaluationIds: readonly number[]): string[] =>
  all<{ dataset: string }>(
    db,
    `select distinct e.dataset from score s join environment e on e.id = s.environment_id where s.evaluation_id in (${marks(evaluationIds)})`,
    ...evaluationIds,
  ).map((row) => row.dataset);

/** What a training had used when its step ended. null: not known of any rollout. */
export interface UsedUpTo {
  groups: number;
  /** Groups in which no rollout was paid (all failed, or the judge took every reward): dead as the paper counts. */
  unpaid: number;
  /** Groups without spread of every cause. */
  dead: number;
  environments: number;
  rollouts: number;
  void: number;
  tokens: number | null;
  steps: number | null;
  busyMs: number | null;
}

export function usedUpTo(db: Db, runId: number, step: number): UsedUpTo {
  const groups = one<Pick<UsedUpTo, "groups" | "unpaid" | "dead" | "environments">>(
    db,
    `select count(*) as groups, ifnull(sum(dead in ('all-fail', 'vetoed')), 0) as unpaid, ifnull(sum(dead is not null), 0) as dead,
       count(distinct environment_id) as environments
     from rollout_group where training_run_id = ? and step <= ?`,
    runId,
    step,
  );
  const rollouts = one<Pick<UsedUpTo, "rollouts" | "void" | "tokens" | "steps" | "busyMs">>(
    db,
    `select count(*) as rollouts, count(r.void_reason) as void, sum(r.tokens) as tokens, sum(r.steps) as steps, sum(r.duration_ms) as busyMs
     from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = ? and g.step <= ?`,
    runId,
    step,
  );
  return {
    ...(groups ?? { groups: 0, unpaid: 0, dead: 0, environments: 0 }),
    ...(rollouts ?? { rollouts: 0, void: 0, tokens: null, steps: null, busyMs: null }),
  };
}

/** Groups of each step of a training: how many, and how many of them no rollout was paid in. */
export const unpaidByStep = (db: Db, runId: number): { step: number; groups: number; unpaid: number }[] =>
  all(
    db,
    `select step, count(*) as groups, ifnull(sum(dead in ('all-fail', 'vetoed')), 0) as unpaid
     from rollout_group where training_run_id = ? group by step order by step`,
    runId,
  );

/** Error steps of an environment in a profile: all, and those with a named misbehavior of the taxonomy. */
export interface EnvironmentErrors {
  environmentId: number;
  errorSteps: number;
  named: number;
}

/** One row an environment with a rollout that ended; those without an error step have zeros. */
export const profileErrors = (db: Db, profileId: number, taxonomyId: number): EnvironmentErrors[] =>
  all(
    db,
    `select r.environment_id as environmentId, count(e.step_id) as errorSteps,
       ifnull(sum(exists (select 1 from label l join error_type t on t.id = l.error_type_id and t.named = 1 and t.taxonomy_id = ?
         where l.step_id = e.step_id and l.current = 1 and l.value = 'yes')), 0) as named
     from profile_rollout r left join error_step e on e.trajectory_id = r.trajectory_id and e.active = 1
     where r.profile_id = ? and r.status <> 'void' group by r.environment_id order by r.environment_id`,
    taxonomyId,
    profileId,
  );

/** A named misbehavior of a taxonomy in a profile; those that no error step has are in it with zeros. */
export interface ProfileType {
  slug: string;
  name: string;
  errorSteps: number;
  environments: number;
}

/** Most frequent first. */
export const profileTypes = (db: Db, profileId: number, taxonomyId: number): ProfileType[] =>
  all(
    db,
    `select t.slug, t.name, count(distinct e.step_id) as errorSteps, count(distinct e.environment_id) as environments
     from error_type t left join label l on l.error_type_id = t.id and l.current = 1 and l.value = 'yes'
       left join (select x.step_id, r.environment_id from profile_rollout r
           join error_step x on x.trajectory_id = r.trajectory_id and x.active = 1 where r.profile_id = ?) e on e.step_id = l.step_id
     where t.taxonomy_id = ? and t.named = 1 group by t.id order by errorSteps desc, t.rank, t.id`,
    profileId,
    taxonomyId,
  );

/** Prefixes of a draw by part and what the rerun check said. */
export interface DrawnPrefixes {
  split: string | null;
  drawn: number;
  kept: number;
  keptEnvironments: number;
}

export const drawnPrefixes = (db: Db, drawId: number): DrawnPrefixes[] =>
  all(
    db,
    `select split, count(*) as drawn, ifnull(sum(status = 'kept'), 0) as kept,
       count(distinct case when status = 'kept' then environment_id end) as keptEnvironments
     from prefix where draw_id = ? group by split order by split`,
    drawId,
  );

/** Samples of one checkpoint that one judge calls free of the misbehavior, and those of them that another finds it in. */
export interface DisputedRow {
  checkpointId: number;
  free: number;
  found: number;
}

/** What `other` says of the samples that `first` calls free; samples without a verdict of both are left out. */
export const disputedSamples = (db: Db, evaluationId: number, first: string, other: string): DisputedRow[] =>
  all(
    db,
    `select s.checkpoint_id as checkpointId, count(*) as free, sum(b.answer = 'yes') as found
     from behavior_sample s join behavior_verdict a on a.sample_id = s.id and a.judge = ? and a.answer = 'no'
       join behavior_verdict b on b.sample_id = s.id and b.judge = ? and b.answer in ('yes', 'no')
     where s.evaluation_id = ? group by s.checkpoint_id order by s.checkpoint_id`,
    first,
    other,
    evaluationId,
  );

/** Price rows, newest first. */
export const priceRows = (
  db: Db,
): { model: string; currency: string; input: number; cached: number | null; output: number }[] =>
  all(db, "select model, currency, input, cached, output from price order by model, valid_from desc");

/** Setting of an index that was loaded from a study that ships: lib/study/shipped/manifest. */
export const SHIPPED_SETTING = "shipped";

/** When this index was loaded from a study that ships (ms since 1970); null: it was not. Rows before it are of another machine. */
export const loadedAt = (db: Db): number | null =>
  one<{ at: number }>(db, "select updated_at as at from setting where key = ?", SHIPPED_SETTING)?.at ?? null;
