import { z } from "zod";
import { DEAD_CAUSES } from "@/lib/train/rl/dead";
import type { DoneRollout } from "@/lib/train/rollout/perform";
import { behaviorRewardOf } from "@/lib/train/rollout/reward";
import { sampledCount } from "@/lib/train/rollout/rows";
import type { Group } from "./groups";
import type { LearnReport } from "./learn";

const number = z.number();
const maybe = z.number().nullable();

/** What is kept of a step of a training. null: nothing to take a mean of, not measured, or not said by the files of another engine. */
export const stepMetrics = z.object({
  groups: number,
  /** Groups with spread: trained on. */
  live: number,
  dead: z.object({ "all-fail": number, "all-pass": number, vetoed: number, infrastructure: number }),
  rollouts: number,
  void: number,
  /** Rollouts whose judge gave no verdict. */
  unjudged: number,
  /** Means over the rollouts that have the value. */
  reward: maybe,
  outcomeReward: maybe,
  behaviorReward: maybe,
  /** Rollouts by both factors, where both are known (r_o of 1 counts as passed). */
  both: number,
  luckyPass: number,
  cleanFail: number,
  neither: number,
  submitted: number,
  steps: maybe,
  tokensPerRollout: maybe,
  /** Mean -ln probability of sampled tokens: an estimate of the policy's entropy a token. */
  entropy: maybe,
  loss: maybe,
  gradNorm: maybe,
  kl: maybe,
  keptShare: maybe,
  trainedTokens: maybe,
  learningRate: maybe,
  ms: z.object({ rollouts: maybe, learn: maybe, total: maybe }),
  rolloutsPerMinute: maybe,
  /** Where the next step goes on in the order of starts; null: not our order. */
  cursor: maybe,
});
export type StepMetrics = z.infer<typeof stepMetrics>;

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((v): v is number => v !== null);
  return known.length === 0 ? null : known.reduce((sum, v) => sum + v, 0) / known.length;
};

/** Left out of its group for want of a verdict: of the behavior, of a rubric, or of an action that was compared. */
const isUnjudged = (r: DoneRollout): boolean =>
  r.behavior === null
    ? r.reward === null && (r.outcomeReward !== null || r.rollout.ended === "action")
    : r.behavior.answer === "failed" || r.behavior.answer === "unparsed";

/** The numbers of a step. */
export function metricsOf(
  groups: readonly Group[],
  learned: LearnReport | null,
  ms: { rollouts: number; learn: number; total: number },
  cursor: number,
): StepMetrics {
  const all = groups.flatMap((g) => g.rollouts);
  const done = all.filter((r): r is DoneRollout => r.kind === "done");
  const behavior = (r: DoneRollout) => (r.behavior === null ? null : behaviorRewardOf(r.behavior));
  const cell = (passed: boolean, clean: boolean) =>
    done.filter((r) => {
      const e = behavior(r);
      return r.outcomeReward !== null && e !== null && r.outcomeReward >= 1 === passed && (e === 1) === clean;
    }).length;
  const tokens = done.map((r) => sampledCount(r.turns));
  const sampled = done.flatMap((r) => r.turns.flatMap((t) => t.logprobs));
  return {
    groups: groups.length,
    live: groups.filter((g) => g.dead === null).length,
    dead: Object.fromEntries(
      DEAD_CAUSES.map((cause) => [cause, groups.filter((g) => g.dead === cause).length]),
    ) as StepMetrics["dead"],
    rollouts: all.length,
    void: all.length - done.length,
    unjudged: done.filter(isUnjudged).length,
    reward: meanOf(done.map((r) => r.reward)),
    outcomeReward: meanOf(done.map((r) => r.outcomeReward)),
    behaviorReward: meanOf(done.map(behavior)),
    both: cell(true, true),
    luckyPass: cell(true, false),
    cleanFail: cell(false, true),
    neither: cell(false, false),
    submitted: done.filter((r) => r.rollout.ended === "submitted").length,
    steps: meanOf(done.map((r) => r.rollout.steps)),
    tokensPerRollout: meanOf(tokens),
    entropy: sampled.length === 0 ? null : -sampled.reduce((sum, l) => sum + l, 0) / sampled.length,
    loss: learned?.loss ?? null,
    gradNorm: learned?.gradNorm ?? null,
    kl: learned?.kl ?? null,
    keptShare: learned && learned.tokens > 0 ? learned.keptTokens / learned.tokens : null,
    trainedTokens: learned?.tokens ?? 0,
    learningRate: learned?.learningRate ?? null,
    ms,
    rolloutsPerMinute: ms.rollouts > 0 ? (60_000 * all.length) / ms.rollouts : 0,
    cursor,
  };
}
