import "server-only";
import type { Db } from "@/db/client";
import type { JobStatus } from "@/db/schema/jobs";
import { all, one } from "./prepared";

/** A training with how far it is. */
export interface TrainingRow {
  id: number;
  name: string;
  recipe: string;
  /** TrainSettings of lib/train/settings.ts with its plan, as stored. */
  settings: unknown;
  seed: number;
  baseId: number | null;
  base: string | null;
  /** Checkpoint row of the moving policy, which its rollouts carry. */
  policyId: number | null;
  jobId: number | null;
  /** null: the job is gone. */
  jobStatus: JobStatus | null;
  /** Steps that are in the index. */
  steps: number;
  /** Means over the last ten of them; null when nothing has the value. */
  reward: number | null;
  outcomeReward: number | null;
  behaviorReward: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

/** Steps that "now" is a mean of. */
const RECENT = 10;
const recent = (key: string) =>
  `(select avg(json_extract(metrics, '$.${key}')) from (select metrics from training_step s where s.training_run_id = t.id order by s.step desc limit ${RECENT}))`;

const TRAINING = `select t.id, t.name, t.recipe, t.settings, t.seed, t.base_checkpoint_id as baseId, b.name as base,
    (select c.id from checkpoint c where c.training_run_id = t.id and c.kind = 'training') as policyId,
    t.job_id as jobId, j.status as jobStatus, j.started_at as startedAt, j.finished_at as finishedAt,
    (select count(*) from training_step s where s.training_run_id = t.id) as steps,
    ${recent("reward")} as reward, ${recent("outcomeReward")} as outcomeReward, ${recent("behaviorReward")} as behaviorReward,
    t.created_at as createdAt
  from training_run t left join job j on j.id = t.job_id left join checkpoint b on b.id = t.base_checkpoint_id`;

const parsed = (row: TrainingRow): TrainingRow => ({ ...row, settings: JSON.parse(row.settings as string) });

/** Trainings, newest first; `before`: id to go on from (exclusive). */
export const listTrainings = (db: Db, query: { before?: number; limit: number }): TrainingRow[] =>
  all<TrainingRow>(
    db,
    `${TRAINING} where t.id < ? order by t.id desc limit ?`,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.limit,
  ).map(parsed);

/** One training, or undefined. */
export function trainingRow(db: Db, id: number): TrainingRow | undefined {
  const row = one<TrainingRow>(db, `${TRAINING} where t.id = ?`, id);
  return row && parsed(row);
}

/** The training that a job runs, or undefined. */
export const trainingOfJob = (db: Db, jobId: number): number | undefined =>
  one<{ id: number }>(db, "select id from training_run where job_id = ?", jobId)?.id;

/** A step of a training: StepMetrics of lib/train/run/metrics.ts as stored, and the checkpoint that was kept after it. */
export interface TrainingStepRow {
  step: number;
  metrics: unknown;
  checkpointId: number | null;
  /** Name of that checkpoint. */
  checkpoint: string | null;
}

/** All steps in order. */
export const trainingSteps = (db: Db, id: number): TrainingStepRow[] =>
  all<TrainingStepRow>(
    db,
    `select s.step, s.metrics, s.checkpoint_id as checkpointId, c.name as checkpoint
     from training_step s left join checkpoint c on c.id = s.checkpoint_id where s.training_run_id = ? order by s.step`,
    id,
  ).map((row) => ({ ...row, metrics: JSON.parse(row.metrics as string) }));

export interface GroupRow {
  id: number;
  number: number;
  draw: number;
  prefixId: number | null;
  environmentId: number;
  environment: string;
  /** Of the prefix; null when it starts at the task. */
  misbehavior: string | null;
  slug: string | null;
  /** null: it has spread and was trained on. */
  dead: string | null;
  counted: number;
  meanReward: number | null;
}

/** Groups of a step in the order they were drawn. */
export const groupsOfStep = (db: Db, id: number, step: number): GroupRow[] =>
  all<GroupRow>(
    db,
    `select g.id, g.number, g.draw, g.prefix_id as prefixId, g.environment_id as environmentId, v.name as environment,
       e.name as misbehavior, e.slug, g.dead, g.counted, g.mean_reward as meanReward
     from rollout_group g join environment v on v.id = g.environment_id
       left join prefix p on p.id = g.prefix_id left join error_type e on e.id = p.error_type_id
     where g.training_run_id = ? and g.step = ? order by g.number`,
    id,
    step,
  );

export interface RolloutRow {
  id: number;
  groupId: number;
  number: number;
  trajectoryId: number | null;
  outcomeReward: number | null;
  behaviorReward: number | null;
  reward: number | null;
  advantage: number | null;
  /** yes | no | failed | unparsed | skipped; null: no judge was asked. */
  verdict: string | null;
  verdictReason: string | null;
  ended: string | null;
  steps: number | null;
  tokens: number | null;
  keptTokens: number | null;
  durationMs: number | null;
  voidReason: string | null;
}

/** Rollouts of a step's groups, in order. */
export const rolloutsOfStep = (db: Db, id: number, step: number): RolloutRow[] =>
  all<RolloutRow>(
    db,
    `select r.id, r.group_id as groupId, r.number, r.trajectory_id as trajectoryId, r.outcome_reward as outcomeReward,
       r.behavior_reward as behaviorReward, r.reward, r.advantage, r.verdict, r.verdict_reason as verdictReason, r.ended,
       r.steps, r.tokens, r.kept_tokens as keptTokens, r.duration_ms as durationMs, r.void_reason as voidReason
     from rollout r join rollout_group g on g.id = r.group_id
     where g.training_run_id = ? and g.step = ? order by g.number, r.number`,
    id,
    step,
  );

/** Reward 2x2 over a training, by the misbehavior its prefixes were drawn for (null: starts at tasks). */
export interface QuadrantRow {
  misbehavior: string | null;
  slug: string | null;
  both: number;
  luckyPass: number;
  cleanFail: number;
  neither: number;
  /** No verdict, or void. */
  unknown: number;
}

export const quadrants = (db: Db, id: number): QuadrantRow[] =>
  all<QuadrantRow>(
    db,
    `select e.name as misbehavior, e.slug,
       sum(r.outcome_reward >= 1 and r.behavior_reward = 1) as both,
       sum(r.outcome_reward >= 1 and r.behavior_reward = 0) as luckyPass,
       sum(r.outcome_reward < 1 and r.behavior_reward = 1) as cleanFail,
       sum(r.outcome_reward < 1 and r.behavior_reward = 0) as neither,
       sum(r.outcome_reward is null or r.behavior_reward is null) as unknown
     from rollout r join rollout_group g on g.id = r.group_id
       left join prefix p on p.id = g.prefix_id left join error_type e on e.id = p.error_type_id
     where g.training_run_id = ? group by e.id order by e.rank`,
    id,
  ).map((row) => ({
    ...row,
    both: row.both ?? 0,
    luckyPass: row.luckyPass ?? 0,
    cleanFail: row.cleanFail ?? 0,
    neither: row.neither ?? 0,
  }));

export interface KeptPrefixes {
  slug: string;
  name: string;
  /** Kept prefixes of the training split, and the environments they are in. */
  prefixes: number;
  environments: number;
}

/** What a training from prefixes can start from. */
export const keptPrefixes = (db: Db, studyId = 1): KeptPrefixes[] =>
  all<KeptPrefixes>(
    db,
    `select e.slug, e.name, count(*) as prefixes, count(distinct p.environment_id) as environments
     from prefix p join error_type e on e.id = p.error_type_id
     where p.study_id = ? and p.status = 'kept' and ifnull(p.split, 'training') = 'training' and p.draw_id is not null
     group by e.slug order by min(e.rank)`,
    studyId,
  );

/** What a prefix gave to one training that started from it. */
export interface PrefixUse {
  trainingId: number;
  training: string;
  recipe: string;
  groups: number;
  /** Groups without spread, by cause. */
  allFail: number;
  allPass: number;
  vetoed: number;
  infrastructure: number;
  rollouts: number;
  void: number;
  /** Means over the rollouts that have the value; null: none has. */
  reward: number | null;
  outcomeReward: number | null;
  behaviorReward: number | null;
  firstStep: number;
  lastStep: number;
}

/** Trainings that drew a prefix, newest first. */
export const usesOfPrefix = (db: Db, prefixId: number): PrefixUse[] =>
  all<PrefixUse>(
    db,
    `select t.id as trainingId, t.name as training, t.recipe, count(*) as groups,
       sum(g.dead is 'all-fail') as allFail, sum(g.dead is 'all-pass') as allPass, sum(g.dead is 'vetoed') as vetoed,
       sum(g.dead is 'infrastructure') as infrastructure, sum(r.n) as rollouts, sum(r.void) as void,
       sum(r.reward) / nullif(sum(r.rewarded), 0) as reward, sum(r.outcome) / nullif(sum(r.scored), 0) as outcomeReward,
       sum(r.behavior) / nullif(sum(r.judged), 0) as behaviorReward, min(g.step) as firstStep, max(g.step) as lastStep
     from rollout_group g join training_run t on t.id = g.training_run_id
       join (select group_id, count(*) as n, count(void_reason) as void, total(reward) as reward, count(reward) as rewarded,
               total(outcome_reward) as outcome, count(outcome_reward) as scored, total(behavior_reward) as behavior,
               count(behavior_reward) as judged
             from rollout where group_id in (select id from rollout_group where prefix_id = ?) group by group_id) r on r.group_id = g.id
     where g.prefix_id = ? group by t.id order by t.id desc`,
    prefixId,
    prefixId,
  );
