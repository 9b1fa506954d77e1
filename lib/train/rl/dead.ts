import { spread } from "./advantages";

/**
 * Why a group teaches nothing. all-fail: no rollout passed its tests | all-pass: all are rewarded alike | vetoed: some
 * passed, the judge took every reward | infrastructure: fewer than two rollouts have a reward. The paper and TMax count
 * only groups without any reward as dead; here both kinds are dropped and counted apart (recipe 1).
 */
export const DEAD_CAUSES = ["all-fail", "all-pass", "vetoed", "infrastructure"] as const;
export type DeadCause = (typeof DEAD_CAUSES)[number];

/** A rollout's reward with its factors; null: void or not judged, and so left out of its group, never 0. */
export interface GroupMember {
  reward: number | null;
  outcomeReward: number | null;
}

/** null: the group has spread and is trained on. */
export function deadCause(members: readonly GroupMember[]): DeadCause | null {
  const counted = members.filter((m) => m.reward !== null);
  if (counted.length < 2) return "infrastructure";
  const rewards = counted.map((m) => m.reward as number);
  if (spread(rewards) > 0) return null;
  if ((rewards[0] as number) > 0) return "all-pass";
  return counted.some((m) => (m.outcomeReward ?? 0) > 0) ? "vetoed" : "all-fail";
}
