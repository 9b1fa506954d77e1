import type { Json, Outcome, Trajectory } from "./types";
import { isObject, numberOf } from "./value";

/** Outcome of a reward: 1 or more passed, 0 or less failed, between them partial, none unknown. */
export function outcomeOf(reward: number | null): Outcome {
  if (reward === null) return "unknown";
  if (reward >= 1) return "passed";
  return reward > 0 ? "partial" : "failed";
}

/** Sets the main reward and outcome from a value of the file. A value that is there but is no number is a warning. */
export function setReward(trajectory: Trajectory, value: Json | undefined, path: string): void {
  const reward = numberOf(value);
  if (reward === null && value !== undefined && value !== null) {
    trajectory.warnings.push({
      path,
      message: `the reward ${JSON.stringify(value).slice(0, 80)} is no number; taken as unknown`,
    });
  }
  trajectory.reward = reward;
  trajectory.outcome = outcomeOf(reward);
}

/** Sets named rewards; the main one is `reward`, or the only one. */
export function setRewards(trajectory: Trajectory, value: Json | undefined, path: string): void {
  if (!isObject(value)) return;
  const names = Object.keys(value);
  for (const name of names) {
    const reward = numberOf(value[name]);
    if (reward !== null) trajectory.rewards[name] = reward;
    else if (value[name] !== null)
      trajectory.warnings.push({
        path: `${path}/${name}`,
        message: `the reward ${JSON.stringify(value[name]).slice(0, 80)} is no number; taken as unknown`,
      });
  }
  const main = names.includes("reward") ? "reward" : names.length === 1 ? names[0] : undefined;
  if (main === undefined) {
    if (names.length > 1)
      trajectory.warnings.push({
        path,
        message: `none of the ${names.length} rewards is called "reward"; the outcome is unknown`,
      });
    return;
  }
  trajectory.reward = trajectory.rewards[main] ?? null;
  trajectory.outcome = outcomeOf(trajectory.reward);
}
