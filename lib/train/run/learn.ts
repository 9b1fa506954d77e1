import type { AccumulatingTrainer } from "@/lib/train/embedded/accumulate";
import { advantages } from "@/lib/train/rl/advantages";
import { dppoKeeps, ppoDrops } from "@/lib/train/rl/divergence";
import { type PolicyLossSettings, type RolloutRow, scales } from "@/lib/train/rl/loss";
import type { DoneRollout } from "@/lib/train/rollout/perform";
import { piecesOf, sampledCount } from "@/lib/train/rollout/rows";
import { learningRateAt, type TrainSettings } from "@/lib/train/settings";
import type { Group } from "./groups";

/** What learning did with one rollout. */
export interface Learned {
  advantage: number;
  keptTokens: number;
}

/** What a step's optimiser steps did. */
export interface LearnReport {
  learned: Map<DoneRollout, Learned>;
  /** Sum over the optimiser steps' losses divided by their number. */
  loss: number;
  gradNorm: number;
  tokens: number;
  keptTokens: number;
  /** Mean of mu-weighted k3 estimates of KL(mu || pi) before each update; about 0 where rollouts are on-policy. */
  kl: number;
  learningRate: number;
}

interface Counted {
  rollout: DoneRollout;
  advantage: number;
}

const isCounted = (r: Group["rollouts"][number]): r is DoneRollout => r.kind === "done" && r.reward !== null;

/** Rollouts with spread in their group, each with its advantage. */
function countedOf(group: Group, settings: TrainSettings): Counted[] {
  if (group.dead !== null) return [];
  const done = group.rollouts.filter(isCounted);
  const values = advantages(
    done.map((r) => r.reward as number),
    settings.advantage,
  );
  return done.map((rollout, i) => ({ rollout, advantage: values[i] as number }));
}

const keeps = (loss: PolicyLossSettings, mu: number, pi: number, advantage: number): boolean =>
  loss.kind === "dppo"
    ? dppoKeeps({ mu, pi, advantage }, loss.divergence, loss.threshold)
    : !ppoDrops(pi / mu, advantage, loss.clipLow, loss.clipHigh);

/** Deals out groups in order, as evenly as can be: an optimiser step never splits a group. */
function parts<T>(all: readonly T[], n: number): T[][] {
  return Array.from({ length: n }, (_, k) =>
    all.slice(Math.floor((k * all.length) / n), Math.floor(((k + 1) * all.length) / n)),
  ).filter((part) => part.length > 0);
}

/**
 * Updates the policy on the groups that have spread: `updates` optimiser steps, each over its share of the groups. null
 * when no group has any.
 */
export async function learn(
  trainer: Pick<AccumulatingTrainer<RolloutRow>, "train">,
  groups: readonly Group[],
  settings: TrainSettings,
  step: number,
): Promise<LearnReport | null> {
  const live = groups.filter((group) => group.dead === null);
  if (live.length === 0) return null;
  const learningRate = learningRateAt(settings, step);
  const report: LearnReport = {
    learned: new Map(),
    loss: 0,
    gradNorm: 0,
    tokens: 0,
    keptTokens: 0,
    kl: 0,
    learningRate,
  };
  const shares = parts(live, settings.updates);
  for (const share of shares) {
    const counted = share.flatMap((group) => countedOf(group, settings));
    const tokens = counted.map(({ rollout }) => sampledCount(rollout.turns));
    const weights = scales(tokens, settings.denominator, settings.constant);
    const pieces = counted.flatMap(({ rollout, advantage }, i) =>
      piecesOf(rollout.turns).map((piece) => ({ rollout, row: { ...piece, advantage, scale: weights[i] as number } })),
    );
    const done = await trainer.train(
      pieces.map(({ row }) => row),
      { learningRate },
    );
    for (const { rollout, advantage } of counted) report.learned.set(rollout, { advantage, keptTokens: 0 });
    for (const [p, { rollout, row }] of pieces.entries()) {
      const logprobs = done.logprobs[p] as Float32Array;
      for (let at = 1; at < row.ids.length; at++) {
        if (row.mask[at] !== 1) continue;
        const [before, now] = [row.sampled[at] as number, logprobs[at - 1] as number];
        report.kl += Math.exp(now - before) - 1 - (now - before);
        if (!keeps(settings.loss, Math.exp(before), Math.exp(now), row.advantage)) continue;
        (report.learned.get(rollout) as Learned).keptTokens++;
        report.keptTokens++;
      }
    }
    report.tokens += done.tokens;
    report.loss += done.loss / shares.length;
    report.gradNorm += done.gradNorm / shares.length;
  }
  report.kl /= Math.max(1, report.tokens);
  return report;
}
