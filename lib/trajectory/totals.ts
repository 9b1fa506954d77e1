import type { Step, Trajectory, Usage } from "./types";
import { between } from "./value";

/**
 * Steps of a trajectory by what they are. `turns` counts model replies, `commands` those that ran. Copied context counts
 * as nothing; neither does a teacher's correction, which is not the policy's. A rejected step counts, its command does not.
 */
export function countSteps(steps: readonly Step[]): {
  steps: number;
  turns: number;
  commands: number;
  observations: number;
} {
  let count = 0;
  let commands = 0;
  let observations = 0;
  const turns = new Set<number>();
  for (const step of steps) {
    if (step.copied || step.kind !== "agent" || step.note === "correction") continue;
    count += 1;
    if (step.turn !== null) turns.add(step.turn);
    if (step.call?.command != null && step.note !== "rejected") commands += 1;
    observations += step.observations.length;
  }
  return { steps: count, turns: turns.size, commands, observations };
}

/** What the policy used: the replies of a teacher are kept with its corrections. */
function sum(steps: readonly Step[], field: keyof Usage): number | null {
  let total: number | null = null;
  for (const step of steps) {
    const value = step.copied || step.note === "correction" ? null : (step.usage?.[field] ?? null);
    if (value !== null) total = (total ?? 0) + value;
  }
  return total;
}

/**
 * Fills what the file does not state from the steps: usage (a sum over steps that say something), start, end and
 * duration. What the file states stays. A stated cost of exactly 0 means unknown. Changes and returns `trajectory`.
 */
export function totals(trajectory: Trajectory): Trajectory {
  const { usage, steps } = trajectory;
  if (usage.costUsd === 0) usage.costUsd = null;
  for (const field of Object.keys(usage) as (keyof Usage)[]) usage[field] ??= sum(steps, field);
  if (usage.costUsd === 0) usage.costUsd = null;
  const times = steps.filter((step) => !step.copied && step.time?.ms != null).map((step) => step.time);
  const first = times[0] ?? null;
  const last = times[times.length - 1] ?? null;
  const stated = trajectory.startedAt !== null || trajectory.finishedAt !== null;
  if (!stated && times.length > 1) {
    trajectory.startedAt = first;
    trajectory.finishedAt = last;
  }
  trajectory.durationMs ??= between(trajectory.startedAt, trajectory.finishedAt);
  return trajectory;
}
