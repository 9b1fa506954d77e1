import type { Ended } from "@/lib/profile/rollout";
import type { DeadCause } from "@/lib/train/rl/dead";
import type { TrainedRollout } from "@/lib/train/rollout/perform";
import type { BehaviorReading } from "@/lib/train/rollout/reward";
import { sampledCount, surpriseOf } from "@/lib/train/rollout/rows";
import type { Trajectory } from "@/lib/trajectory/types";
import type { Group } from "./groups";
import type { LearnReport } from "./learn";
import type { StepMetrics } from "./metrics";

/** What is kept of a rollout. Plain data: it survives JSON unchanged. */
export type FinishedRollout =
  | { kind: "void"; reason: string; durationMs: number }
  | {
      kind: "done";
      trajectory: Trajectory;
      ended: Ended | null;
      steps: number;
      /** Sampled tokens, and the mean of their -ln probability. */
      tokens: number;
      surprise: number | null;
      outcomeReward: number | null;
      behavior: BehaviorReading | null;
      rating: number | null;
      reward: number | null;
      /** null: not trained on. */
      advantage: number | null;
      keptTokens: number | null;
      durationMs: number;
    };

export interface FinishedGroup {
  number: number;
  draw: number;
  dead: DeadCause | null;
  environmentId: number;
  prefixId: number | null;
  /** Entry of the trajectory that its rollouts go on from. */
  left: { trajectoryId: number; index: number } | null;
  rollouts: FinishedRollout[];
}

/** A step of a training, as it is stored wherever it was made. Plain data: it survives JSON unchanged. */
export interface FinishedStep {
  step: number;
  groups: FinishedGroup[];
  metrics: StepMetrics;
}

function finishedRollout(rollout: TrainedRollout, learned: LearnReport | null): FinishedRollout {
  if (rollout.kind === "void") return rollout;
  const lesson = learned?.learned.get(rollout) ?? null;
  const { outcomeReward, behavior, rating, reward, durationMs, turns } = rollout;
  return {
    kind: "done",
    trajectory: rollout.rollout.trajectory,
    ended: rollout.rollout.ended,
    steps: rollout.rollout.steps,
    tokens: sampledCount(turns),
    surprise: surpriseOf(turns),
    outcomeReward,
    behavior,
    rating,
    reward,
    advantage: lesson?.advantage ?? null,
    keptTokens: lesson?.keptTokens ?? null,
    durationMs,
  };
}

/** What is kept of a step. */
export function finishedStep(
  step: number,
  groups: readonly Group[],
  learned: LearnReport | null,
  metrics: StepMetrics,
): FinishedStep {
  return {
    step,
    metrics,
    groups: groups.map(({ number, draw, dead, start, rollouts }) => {
      const left = start.prefix ?? start.pivot;
      return {
        number,
        draw,
        dead,
        environmentId: start.environment.id,
        prefixId: start.prefix?.id ?? null,
        left: left && { trajectoryId: left.trajectoryId, index: left.index },
        rollouts: rollouts.map((rollout) => finishedRollout(rollout, learned)),
      };
    }),
  };
}
