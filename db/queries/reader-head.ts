import "server-only";
import type { Db } from "@/db/client";
import { type TrajectoryDetail, unpack } from "@/db/codec";
import { SPAN } from "@/db/ids";
import { all, one } from "./prepared";

export interface TrajectoryHead {
  id: number;
  name: string | null;
  task: string | null;
  model: string | null;
  agent: string | null;
  format: string;
  formatVersion: string | null;
  attempt: number | null;
  outcome: string;
  reward: number | null;
  exitStatus: string | null;
  exceptionType: string | null;
  steps: number;
  entries: number;
  errorSteps: number;
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  costUsd: number | null;
  durationMs: number | null;
  startedAt: number | null;
  warnings: number;
  parentId: number | null;
  parentStep: number | null;
  supersededBy: number | null;
  sourceKey: string;
  rulesVersion: string | null;
  createdAt: number;
}

/** The slim row of a trajectory; undefined when there is none. */
export const trajectoryHead = (db: Db, id: number): TrajectoryHead | undefined =>
  one<TrajectoryHead>(
    db,
    `select id, name, task, model, agent, format, format_version as formatVersion, attempt, outcome, reward, exit_status as exitStatus,
       exception_type as exceptionType, steps, entries, error_steps as errorSteps, prompt_tokens as promptTokens,
       completion_tokens as completionTokens, cached_tokens as cachedTokens, cost_usd as costUsd, duration_ms as durationMs,
       started_at as startedAt, warnings, parent_id as parentId, parent_step as parentStep, superseded_by as supersededBy,
       source_key as sourceKey, rules_version as rulesVersion, created_at as createdAt
     from trajectory where id = ?`,
    id,
  );

/** Long parts: metadata of the file, artifacts, warnings, exception. Undefined when the row has none. */
export function trajectoryDetail(db: Db, id: number): TrajectoryDetail | undefined {
  const row = one<{ data: Buffer }>(db, "select data from trajectory_detail where trajectory_id = ?", id);
  return row && unpack<TrajectoryDetail>(row.data);
}

export interface Related {
  id: number;
  name: string | null;
  agent: string | null;
  parentStep: number | null;
}

/** Trajectories started from this one (sub-agents, parts). */
export const childTrajectories = (db: Db, id: number): Related[] =>
  all<Related>(
    db,
    "select id, name, agent, parent_step as parentStep from trajectory where parent_id = ? and superseded_by is null order by parent_step, id",
    id,
  );

/** Ids of the neighbours by time of import: `newer` and `older`. */
export function neighbours(db: Db, id: number): { newer: number | null; older: number | null } {
  const live = "superseded_by is null and id";
  const newer = one<{ id: number }>(db, `select id from trajectory where ${live} > ? order by id limit 1`, id);
  const older = one<{ id: number }>(db, `select id from trajectory where ${live} < ? order by id desc limit 1`, id);
  return { newer: newer?.id ?? null, older: older?.id ?? null };
}

/** Entry index of agent step `number`; null when the trajectory has no such step. */
export function entryOfStep(db: Db, id: number, number: number): number | null {
  const row = one<{ id: number }>(
    db,
    "select id from step where id between ? and ? and number = ? limit 1",
    id * SPAN,
    id * SPAN + SPAN - 1,
    number,
  );
  return row ? row.id - id * SPAN : null;
}
