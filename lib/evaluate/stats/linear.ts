import type { Estimate } from "./bootstrap";

/** Sum of a column, each row as often as its weight. */
export const weighted = (weights: Uint16Array, column: readonly number[]): number => {
  let sum = 0;
  for (let i = 0; i < column.length; i++) sum += (weights[i] as number) * (column[i] as number);
  return sum;
};

/**
 * Cluster-robust standard error of a statistic from what each cluster adds to it (its influence, summing to about 0):
 * sqrt(G / (G - 1) * sum of squares); null with fewer than two clusters.
 */
export function robustSe(weights: Uint16Array, influence: (cluster: number) => number): number | null {
  let squares = 0;
  let g = 0;
  for (let i = 0; i < weights.length; i++) {
    const w = weights[i] as number;
    if (w === 0) continue;
    squares += w * influence(i) ** 2;
    g += w;
  }
  return g < 2 ? null : Math.sqrt((g / (g - 1)) * squares);
}

/** What one cluster (a prefix, a task) adds to a ratio. */
export interface Cluster {
  numerator: number;
  denominator: number;
}

/** sum(numerator) / sum(denominator) with its cluster-robust standard error; null without a denominator. */
export function ratio(clusters: readonly Cluster[], weights: Uint16Array): Estimate | null {
  let numerator = 0;
  let denominator = 0;
  for (let i = 0; i < clusters.length; i++) {
    const w = weights[i] as number;
    const cluster = clusters[i] as Cluster;
    numerator += w * cluster.numerator;
    denominator += w * cluster.denominator;
  }
  if (denominator === 0) return null;
  const value = numerator / denominator;
  const se = robustSe(weights, (i) => {
    const c = clusters[i] as Cluster;
    return (c.numerator - value * c.denominator) / denominator;
  });
  return { value, se };
}
