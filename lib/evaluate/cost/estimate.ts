/** Tokens that a policy read and wrote. */
export interface Tokens {
  input: number;
  output: number;
}

/** Prices of a model, in units of one currency per million tokens. */
export interface Price {
  input: number;
  cached: number;
  output: number;
}

/**
 * Share of input tokens that no cache holds, of rollouts with `steps` steps on average: min(1, 2/T), the paper's estimate
 * (section 4.5, recipe 7). The cap is ours: rollouts of one step read everything anew, and not twice.
 */
export const uncachedShare = (steps: number): number => Math.min(1, 2 / steps);

/** Cost of a policy's tokens, in the price's currency; `uncached` as a share of the input. Fees of other models come on top. */
export const policyCost = ({ input, output }: Tokens, price: Price, uncached: number): number =>
  (input * (uncached * price.input + (1 - uncached) * price.cached) + output * price.output) / 1e6;

/** A training by its settings and what came of its groups. */
export interface RolloutPlan {
  steps: number;
  /** Groups of a step that are trained on. */
  batch: number;
  /** Rollouts of a group. */
  group: number;
  /** Share of groups that were dropped and drawn again, in [0, 1). */
  dead: number;
  /** Rollouts before training: profiling, finding pivots. */
  preprocessing: number;
}

/** S·B·G / (1 - d) + preprocessing (paper appendix, recipe 7). */
export const rolloutsOf = ({ steps, batch, group, dead, preprocessing }: RolloutPlan): number =>
  (steps * batch * group) / (1 - dead) + preprocessing;

/** Groups drawn, S·B / (1 - d): environments used, where every group starts at another one. */
export const groupsOf = ({ steps, batch, dead }: Omit<RolloutPlan, "group" | "preprocessing">): number =>
  (steps * batch) / (1 - dead);
