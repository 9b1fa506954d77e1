import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/*
 * A training page by page: no query stays open between pages, so that others can write meanwhile.
 */

export interface ExportedStep {
  step: number;
  checkpointId: number | null;
  /** UTC epoch milliseconds at which it came into the index. */
  createdAt: number;
  /** StepMetrics of lib/train/run/metrics.ts, as stored. */
  metrics: unknown;
}

/** Steps after one, in order. */
export const stepsAfter = (db: Db, trainingId: number, after: number, limit: number): ExportedStep[] =>
  all<ExportedStep>(
    db,
    `select step, checkpoint_id as checkpointId, created_at as createdAt, metrics from training_step
     where training_run_id = ? and step > ? order by step limit ?`,
    trainingId,
    after,
    limit,
  ).map((row) => ({ ...row, metrics: JSON.parse(row.metrics as string) }));

export interface ExportedGroup {
  id: number;
  step: number;
  number: number;
  draw: number;
  prefixId: number | null;
  environmentId: number | null;
  environment: string | null;
  /** Slug of the misbehavior the prefix was drawn for. */
  misbehavior: string | null;
  dead: string | null;
  counted: number;
  meanReward: number | null;
}

/** Groups after one, by id: the order in which they were stored. */
export const groupsAfter = (db: Db, trainingId: number, after: number, limit: number): ExportedGroup[] =>
  all<ExportedGroup>(
    db,
    `select g.id, g.step, g.number, g.draw, g.prefix_id as prefixId, g.environment_id as environmentId,
       v.name as environment, e.slug as misbehavior, g.dead, g.counted, g.mean_reward as meanReward
     from rollout_group g left join environment v on v.id = g.environment_id
       left join prefix p on p.id = g.prefix_id left join error_type e on e.id = p.error_type_id
     where g.training_run_id = ? and g.id > ? order by g.id limit ?`,
    trainingId,
    after,
    limit,
  );

export interface ExportedRollout {
  id: number;
  step: number;
  /** Number of its group within the step. */
  group: number;
  groupId: number;
  number: number;
  prefixId: number | null;
  environmentId: number | null;
  trajectoryId: number | null;
  reward: number | null;
  outcomeReward: number | null;
  behaviorReward: number | null;
  rating: number | null;
  advantage: number | null;
  verdict: string | null;
  verdictReason: string | null;
  ended: string | null;
  steps: number | null;
  tokens: number | null;
  keptTokens: number | null;
  surprise: number | null;
  durationMs: number | null;
  voidReason: string | null;
}

/** Rollouts after one, by id: the order in which they were stored. */
export const rolloutsAfter = (db: Db, trainingId: number, after: number, limit: number): ExportedRollout[] =>
  all<ExportedRollout>(
    db,
    `select r.id, g.step, g.number as "group", g.id as groupId, r.number, g.prefix_id as prefixId,
       g.environment_id as environmentId, r.trajectory_id as trajectoryId, r.reward, r.outcome_reward as outcomeReward,
       r.behavior_reward as behaviorReward, r.rating, r.advantage, r.verdict, r.verdict_reason as verdictReason, r.ended,
       r.steps, r.tokens, r.kept_tokens as keptTokens, r.surprise, r.duration_ms as durationMs, r.void_reason as voidReason
     from rollout r join rollout_group g on g.id = r.group_id
     where g.training_run_id = ? and r.id > ? order by r.id limit ?`,
    trainingId,
    after,
    limit,
  );
