import { quantileSorted } from "simple-statistics";
import { randomOf } from "@/lib/environment/suite/draw";
import type { Interval } from "./intervals";

/** What one cluster (an environment) adds to a ratio. */
export interface Cluster {
  numerator: number;
  denominator: number;
}

const RESAMPLES = 2000;

/**
 * 95% percentile interval of sum(numerator) / sum(denominator), resampling whole clusters (design 10). Deterministic in
 * `key`. Resamples without a denominator are left out. null when nothing is in the denominator.
 */
export function clusterBootstrap(clusters: readonly Cluster[], key: string): Interval | null {
  const some = clusters.filter((c) => c.denominator > 0);
  if (some.length === 0) return null;
  const random = randomOf(`bootstrap\0${key}`);
  const rates: number[] = [];
  for (let r = 0; r < RESAMPLES; r++) {
    let numerator = 0;
    let denominator = 0;
    for (let i = 0; i < some.length; i++) {
      const drawn = some[Math.floor(random() * some.length)] as Cluster;
      numerator += drawn.numerator;
      denominator += drawn.denominator;
    }
    rates.push(numerator / denominator);
  }
  rates.sort((a, b) => a - b);
  return { low: quantileSorted(rates, 0.025), high: quantileSorted(rates, 0.975) };
}
