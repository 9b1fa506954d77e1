import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { roleEnvironment } from "@/lib/profile/perform";
import type { JudgedWindow } from "@/lib/reward/types";
import { windowOf } from "@/lib/train/rollout/reward";
import { prefixStart, type TrainStart } from "@/lib/train/rollout/starts";
import { loadSteps } from "@/lib/trajectory/load";

/** A sample that is not void, as it is stored. */
export interface StoredSample {
  id: number;
  prefixId: number;
  errorTypeId: number;
  trajectoryId: number;
}

/** Samples of a measurement that judges can read, in an order that does not tell which of them ended first: a judge that learns from them is the same each time. */
export const readableSamples = (db: Db, evaluationId: number): StoredSample[] =>
  statement(
    db,
    `select id, prefix_id as prefixId, error_type_id as errorTypeId, trajectory_id as trajectoryId from behavior_sample
     where evaluation_id = ? and void_reason is null and trajectory_id is not null
     order by error_type_id, prefix_id, checkpoint_id, number`,
  ).all(evaluationId) as StoredSample[];

/** Reads windows of samples, each prefix once. */
export function windowReader(db: Db, m: number): (sample: StoredSample) => JudgedWindow {
  let last: { id: number; start: TrainStart } | null = null;
  return ({ prefixId, trajectoryId }) => {
    if (last?.id !== prefixId) last = { id: prefixId, start: prefixStart(db, prefixId) };
    const { start } = last;
    // A sample begins with what the policy had seen.
    const own = start.prefix?.seen.length ?? 0;
    const entries = loadSteps(db, trajectoryId);
    const environment = roleEnvironment(start.environment);
    return { environment, prefix: { environment, steps: entries.slice(0, own) }, steps: windowOf(entries, own, m) };
  };
}
