/** A 95% interval of a rate, both ends in [0, 1]. */
export interface Interval {
  low: number;
  high: number;
}

/** 97.5% quantile of the standard normal distribution. */
const Z = 1.959963984540054;

/** Wilson's score interval of `hits` in `n` independent trials; null when there is none. */
export function wilson(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const p = hits / n;
  const denominator = 1 + Z ** 2 / n;
  const centre = (p + Z ** 2 / (2 * n)) / denominator;
  const half = (Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))) / denominator;
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
