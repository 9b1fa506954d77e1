import type { Array as JaxArray } from "@jax-js/jax";
import type { Jax } from "@/lib/model/onnx/load";
import type { Objective, TokenRow } from "@/lib/train/embedded/objective";
import type { DivergenceKind } from "./divergence";

/** Log-probabilities are not let below this before they are exponentiated (recipe 1, TMax). */
const LOGPROB_FLOOR = -30;
/** Inside the logarithms of the binary KL: in single precision 1 - p can be exactly 0. */
const KL_FLOOR = 1e-7;

/** dppo: no ratio clip, tokens masked by divergence | ppo: the ratio clipped to [1 - low, 1 + high] (GRPO, DAPO). */
export type PolicyLossSettings =
  | { kind: "dppo"; divergence: DivergenceKind; threshold: number }
  | { kind: "ppo"; clipLow: number; clipHigh: number };

/** What a loss is summed over and divided by: token: all trained tokens of the step (DAPO) | sequence: each rollout by its own, then by their number (GRPO) | constant: a fixed length times their number (Dr. GRPO). */
export const DENOMINATORS = ["token", "sequence", "constant"] as const;
export type Denominator = (typeof DENOMINATORS)[number];

/** Tokens of a rollout, or of a part of it that is fed in one piece. */
export interface RolloutRow extends TokenRow {
  /** Natural log-probability of each token under the policy that sampled it; anything for the others. */
  sampled: readonly number[];
  /** 1 for tokens the policy sampled, 0 for what it was shown: prefix tokens and outputs get no gradient. */
  mask: readonly number[];
  advantage: number;
  /** 1 / denominator of this row's rollout; see `scales`. */
  scale: number;
}

/** 1 / denominator of each rollout, given the trained tokens of each. `constant`: the length of the constant kind. */
export function scales(tokens: readonly number[], kind: Denominator, constant: number): number[] {
  const n = tokens.length;
  if (kind === "constant") return tokens.map(() => 1 / (n * constant));
  if (kind === "sequence") return tokens.map((own) => (own === 0 ? 0 : 1 / (n * own)));
  const all = tokens.reduce((sum, own) => sum + own, 0);
  return tokens.map(() => (all === 0 ? 0 : 1 / all));
}

const trained = (row: RolloutRow, at: number): boolean => row.mask[at] === 1;

/**
 * What is minimised over the rows of a step. The denominators are in the rows, so parts of a step add up to the whole.
 * dppo: -sum M·(pi/mu)·A, M without gradient (arXiv 2602.04879) | ppo: -sum min(rho·A, clip(rho)·A).
 */
export function policyLoss(settings: PolicyLossSettings): Objective<RolloutRow> {
  return {
    inputs: [
      (row, at) => (trained(row, at) ? (row.sampled[at] ?? 0) : 0),
      (row, at) => (trained(row, at) ? row.advantage * row.scale : 0),
    ],
    counts: trained,
    loss(jax, logprobs, inputs) {
      const [sampled, weight] = inputs;
      if (!sampled || !weight) throw new RangeError("a policy loss needs sampled log-probabilities and weights");
      const { numpy: np } = jax;
      const clamped = np.minimum(np.maximum(logprobs, LOGPROB_FLOOR), 0);
      if (settings.kind === "ppo") {
        const ratio = np.exp(clamped.sub(sampled));
        const clipped = np.minimum(np.maximum(ratio.ref, 1 - settings.clipLow), 1 + settings.clipHigh);
        return np.minimum(ratio.mul(weight.ref), clipped.mul(weight)).sum().neg();
      }
      const ratio = np.exp(clamped.ref.sub(sampled.ref));
      const keep = kept(jax, { now: jax.lax.stopGradient(clamped), sampled, weight: weight.ref }, settings);
      return ratio.mul(weight).mul(keep).sum().neg();
    },
  };
}

/** M of DPPO as numbers 0 and 1. Moves its arrays. */
function kept(
  { numpy: np }: Jax,
  { now, sampled, weight }: Record<"now" | "sampled" | "weight", JaxArray>,
  { divergence, threshold }: { divergence: DivergenceKind; threshold: number },
): JaxArray {
  const pi = np.exp(now);
  const mu = np.exp(np.maximum(sampled, LOGPROB_FLOOR));
  // Further out: the advantage and the way the probability went have the same sign.
  const outward = weight.mul(pi.ref.sub(mu.ref)).greater(0);
  const distance = divergence === "tv" ? np.abs(pi.sub(mu)) : klOf(np, mu, pi);
  const dropped = np.where(outward, np.where(distance.greater(threshold), 1, 0), 0);
  return np.array(1).sub(dropped);
}

function klOf(np: Jax["numpy"], mu: JaxArray, pi: JaxArray): JaxArray {
  const log = (x: JaxArray) => np.log(np.maximum(x, KL_FLOOR));
  const rest = (p: JaxArray) => np.array(1).sub(p);
  const own = mu.ref.mul(log(mu.ref).sub(log(pi.ref)));
  const others = rest(mu.ref).mul(log(rest(mu)).sub(log(rest(pi))));
  return own.add(others);
}
