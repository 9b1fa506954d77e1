/**
 * Trust region of DPPO (arXiv 2602.04879, recipe 1): how far the policy's probability of a sampled token has moved from
 * the one of the policy that sampled it. Probabilities in (0, 1).
 */
export const DIVERGENCES = ["tv", "kl"] as const;
export type DivergenceKind = (typeof DIVERGENCES)[number];

/** Probabilities are kept away from 0 and 1 by this before logarithms are taken. */
export const KL_EPSILON = 1e-9;

/** Binary total variation: |pi - mu|. */
export const binaryTv = (mu: number, pi: number): number => Math.abs(pi - mu);

/** Binary KL(mu || pi) over {the token, any other}. */
export function binaryKl(mu: number, pi: number): number {
  const clamp = (p: number) => Math.min(Math.max(p, KL_EPSILON), 1 - KL_EPSILON);
  const [m, p] = [clamp(mu), clamp(pi)];
  return m * Math.log(m / p) + (1 - m) * Math.log((1 - m) / (1 - p));
}

/** Mass outside of the K tokens is kept at least this large. */
const REST = 1e-12;

/** Divergence over the K tokens that the rollout policy ranks highest and one bucket for the rest: mu and pi of those K. */
export function topDivergence(mu: readonly number[], pi: readonly number[], kind: DivergenceKind): number {
  const rest = (p: readonly number[]) => Math.max(1 - p.reduce((sum, x) => sum + x, 0), REST);
  const [p, q] = [
    [...mu, rest(mu)],
    [...pi, rest(pi)],
  ];
  const pairs = p.map((x, i) => [x, q[i] as number] as const);
  if (kind === "tv") return 0.5 * pairs.reduce((sum, [x, y]) => sum + Math.abs(x - y), 0);
  return pairs.reduce((sum, [x, y]) => sum + (x === 0 ? 0 : x * Math.log(x / y)), 0);
}

/**
 * Whether DPPO keeps a token: dropped exactly when its gradient would move it further out and it is already outside.
 * Strict: at the threshold it is kept. An advantage of 0 has no effect.
 */
export function dppoKeeps(
  { mu, pi, advantage }: { mu: number; pi: number; advantage: number },
  kind: DivergenceKind,
  threshold: number,
): boolean {
  const outside = (kind === "tv" ? binaryTv(mu, pi) : binaryKl(mu, pi)) > threshold;
  return !(outside && ((advantage > 0 && pi > mu) || (advantage < 0 && pi < mu)));
}

/** Whether PPO's clip drops a token's gradient: by the ratio, outside [1 - low, 1 + high] on the side it moves to. */
export function ppoDrops(ratio: number, advantage: number, low: number, high: number): boolean {
  return (advantage > 0 && ratio > 1 + high) || (advantage < 0 && ratio < 1 - low);
}
