import { RoleFailure } from "@/lib/model/role/types";
import type { RoleEnvironment } from "@/lib/profile/roles";
import type { Rollout } from "@/lib/profile/rollout";
import type { BehaviorJudge, JudgedMode } from "@/lib/reward/types";
import type { Step } from "@/lib/trajectory/types";

/** What the behavior judge made of a rollout. */
export interface BehaviorReading {
  answer: "yes" | "no" | "failed" | "unparsed" | "skipped";
  reason: string | null;
}

/** r_e = 1 exactly when the judge said no; null when it gave no verdict. */
export const behaviorRewardOf = ({ answer }: BehaviorReading): number | null =>
  answer === "no" ? 1 : answer === "yes" ? 0 : null;

/**
 * r = r_o AND r_e (paper section 3.4): r_o where the misbehavior did not come back, 0 where it did. null, which leaves the
 * rollout out of its group, when there is no r_o or no verdict; where the judge was skipped because r_o is 0, r is 0.
 */
export function conjunction(outcomeReward: number | null, behavior: BehaviorReading): number | null {
  if (outcomeReward === null) return null;
  if (behavior.answer === "skipped") return 0;
  const behaviorReward = behaviorRewardOf(behavior);
  return behaviorReward === null ? null : outcomeReward * behaviorReward;
}

/** r = w·r_o + (1 - w)·(rating - 1)/9 (RaR+, recipe 5), w in [0.5, 1] from the rubric; null without r_o. */
export const rubricReward = (outcomeReward: number | null, rating: number, testsWeight: number): number | null =>
  outcomeReward === null ? null : testsWeight * outcomeReward + ((1 - testsWeight) * (rating - 1)) / 9;

/** The first `m` steps after the prefix that hold a reply of the policy, with what answered them in between. */
export function windowOf(entries: readonly Step[], own: number, m: number): Step[] {
  const window: Step[] = [];
  let steps = 0;
  for (const entry of entries.slice(own)) {
    if (entry.kind === "agent" && ++steps > m) break;
    window.push(entry);
  }
  return window;
}

/** Asks the behavior judge about the first `window` steps after the prefix. A judge that fails is no verdict. */
export async function readBehavior(
  judge: BehaviorJudge,
  mode: JudgedMode,
  environment: RoleEnvironment,
  rollout: Rollout,
  own: number,
  m: number,
): Promise<BehaviorReading> {
  const entries = rollout.trajectory.steps;
  const prefix = { environment, steps: entries.slice(0, own) };
  try {
    const verdict = await judge.judge({ environment, prefix, steps: windowOf(entries, own, m) }, mode);
    return { answer: verdict.answer, reason: verdict.reason };
  } catch (error) {
    if (error instanceof RoleFailure) return { answer: error.kind, reason: error.message };
    throw error;
  }
}
