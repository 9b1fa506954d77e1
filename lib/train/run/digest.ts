import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { loadSteps } from "@/lib/trajectory/load";
import { stepMetrics } from "./metrics";

/**
 * SHA-256 (hex) over what a training came to: every group and rollout with its rewards and texts, and every step's numbers.
 * Not over ids, times and durations.
 */
export function trainingDigest(db: Db, runId: number): string {
  const hash = createHash("sha256");
  const rollouts = db.$client
    .prepare<[number], (string | number | null)[]>(
      `select r.trajectory_id, g.step, g.number, g.draw, g.prefix_id, v.name, g.dead, g.counted, g.mean_reward, r.number, r.outcome_reward,
         r.behavior_reward, r.reward, r.advantage, r.verdict, r.ended, r.steps, r.tokens, r.kept_tokens, r.surprise, r.void_reason is null
       from rollout_group g join rollout r on r.group_id = g.id join environment v on v.id = g.environment_id
       where g.training_run_id = ? order by g.step, g.number, r.number`,
    )
    .raw()
    .all(runId) as (string | number | null)[][];
  for (const [trajectoryId, ...row] of rollouts) {
    hash.update(`${JSON.stringify(row)}\n`);
    if (typeof trajectoryId === "number") hash.update(`${stepsFingerprint(loadSteps(db, trajectoryId))}\n`);
  }
  const steps = db.$client
    .prepare("select metrics from training_step where training_run_id = ? order by step")
    .pluck()
    .all(runId) as string[];
  for (const metrics of steps) {
    const { ms: _ms, rolloutsPerMinute: _speed, ...same } = stepMetrics.parse(JSON.parse(metrics));
    hash.update(`${JSON.stringify(same)}\n`);
  }
  return hash.digest("hex");
}
