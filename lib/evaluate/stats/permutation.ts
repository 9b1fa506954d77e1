import { seededBelow } from "./random";
import type { Pair } from "./rate";

/** Up to so many clusters every way of swapping is looked at. */
const EXACT = 14;
const DRAWS = 10_000;

/**
 * Two-sided p-value of no difference: in each cluster the two policies may as well be swapped. Exact for few clusters;
 * else 10,000 seeded swaps, (1 + hits) / (1 + draws). null without clusters.
 */
export function permutationP(pairs: readonly Pair[], key: string): number | null {
  if (pairs.length === 0) return null;
  const statistic = (swapped: (i: number) => boolean): number => {
    const sums = [0, 0, 0, 0];
    for (let i = 0; i < pairs.length; i++) {
      const { before, after } = pairs[i] as Pair;
      const [a, b] = swapped(i) ? [after, before] : [before, after];
      sums[0] = (sums[0] as number) + a.numerator;
      sums[1] = (sums[1] as number) + a.denominator;
      sums[2] = (sums[2] as number) + b.numerator;
      sums[3] = (sums[3] as number) + b.denominator;
    }
    const [n0, d0, n1, d1] = sums as [number, number, number, number];
    return Math.abs(n1 / d1 - n0 / d0);
  };
  const seen = statistic(() => false) - 1e-12;
  if (pairs.length <= EXACT) {
    const all = 2 ** pairs.length;
    let hits = 0;
    for (let bits = 0; bits < all; bits++) if (statistic((i) => ((bits >> i) & 1) === 1) >= seen) hits++;
    return hits / all;
  }
  const below = seededBelow(`permutation\0${key}`);
  let hits = 0;
  for (let r = 0; r < DRAWS; r++) {
    const swaps = pairs.map(() => below(2) === 1);
    if (statistic((i) => swaps[i] as boolean) >= seen) hits++;
  }
  return (1 + hits) / (1 + DRAWS);
}

/** Holm's step-down adjustment: p-values in the order given; null stays null and is not counted. */
export function holm(ps: readonly (number | null)[]): (number | null)[] {
  const known = ps.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const out: (number | null)[] = ps.map(() => null);
  let most = 0;
  for (const [rank, { p, at }] of known.entries()) {
    most = Math.max(most, Math.min(1, p * (known.length - rank)));
    out[at] = most;
  }
  return out;
}
