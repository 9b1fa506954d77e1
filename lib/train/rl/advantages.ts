/** How rewards of a group become advantages (recipe 1): one value a rollout, given to each of its tokens. */
export const ADVANTAGES = ["centered", "standard", "maxrl"] as const;
export type AdvantageKind = (typeof ADVANTAGES)[number];

const STANDARD_EPSILON = 1e-8;

const mean = (values: readonly number[]): number => values.reduce((sum, r) => sum + r, 0) / values.length;

/** Population standard deviation; exactly 0 when all values are equal. */
export function spread(values: readonly number[]): number {
  const first = values[0];
  if (first === undefined || values.every((r) => r === first)) return 0;
  const m = mean(values);
  return Math.sqrt(mean(values.map((r) => (r - m) ** 2)));
}

/**
 * Advantages of one group. centered: r - mean (Dr. GRPO, the recipe's default) | standard: (r - mean) / (std + 1e-8) with
 * the population std (GRPO) | maxrl: (r - mean) / mean, all 0 when the mean is not positive.
 */
export function advantages(rewards: readonly number[], kind: AdvantageKind): number[] {
  if (rewards.length === 0) return [];
  const s = spread(rewards);
  // Without spread there is nothing to prefer; a rounding error of the mean must not become a direction.
  if (s === 0) return rewards.map(() => 0);
  const m = mean(rewards);
  const centered = rewards.map((r) => r - m);
  if (kind === "centered") return centered;
  if (kind === "standard") return centered.map((a) => a / (s + STANDARD_EPSILON));
  return m > 0 ? centered.map((a) => a / m) : centered.map(() => 0);
}
