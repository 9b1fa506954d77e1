import { quantileSorted } from "simple-statistics";
import { normalCdf, normalQuantile, tQuantile } from "./distributions";
import { seededBelow } from "./random";

/** A 95% interval; both ends in the unit of what it is of. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * How an interval is drawn from resampled clusters. studentized: bootstrap-t, whose coverage is nearest to 95% for few
 * clusters (docs/coverage.md), and never narrower than Student's t | percentile: quantiles, set further out for few clusters (Hesterberg's expanded percentile
 * interval) | bca: bias-corrected and accelerated (Efron 1987).
 */
export const INTERVAL_METHODS = ["studentized", "percentile", "bca"] as const;
export type IntervalMethod = (typeof INTERVAL_METHODS)[number];

export interface BootstrapOptions {
  /** Everything drawn depends on it alone. */
  key: string;
  /** Default RESAMPLES. */
  resamples?: number;
  /** Default "studentized"; "percentile" where the statistic has no standard error. */
  method?: IntervalMethod;
  /** studentized: also narrower than Student's t, for whoever widens it in a way of their own. */
  bare?: boolean;
  /** Sizes of the strata that follow one another in the clusters, each resampled by itself; default: one. */
  strata?: readonly number[];
}

export const RESAMPLES = 2000;

/** A value with its standard error, cluster-robust; null: none is known. */
export interface Estimate {
  value: number;
  se: number | null;
}

/**
 * A statistic of `n` clusters, given how often each is in the sample; null where it is not defined (a denominator of 0).
 * All ones: the sample itself.
 */
export type Statistic = (weights: Uint16Array) => Estimate | null;

const ones = (n: number) => new Uint16Array(n).fill(1);

/** Probability of the lower end: 2.5% for many clusters, less for few, as Student's t has wider tails. */
const expandedTail = (n: number): number => normalCdf(-Math.sqrt(n / (n - 1)) * tQuantile(0.975, n - 1));

/** Lower and upper probability of the BCa interval. */
function bcaTails(statistic: Statistic, n: number, estimate: number, values: number[]): [number, number] {
  const below = values.filter((v) => v < estimate).length;
  const equal = values.filter((v) => v === estimate).length;
  const least = 1 / (2 * values.length);
  const z0 = normalQuantile(Math.min(1 - least, Math.max(least, (below + equal / 2) / values.length)));
  const weights = ones(n);
  const jack: number[] = [];
  for (let i = 0; i < n; i++) {
    weights[i] = 0;
    const without = statistic(weights);
    if (without !== null) jack.push(without.value);
    weights[i] = 1;
  }
  const mean = jack.reduce((a, b) => a + b, 0) / jack.length;
  let squares = 0;
  let cubes = 0;
  for (const value of jack) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  const a = squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
  const tail = (z: number) => normalCdf(z0 + (z0 + z) / (1 - a * (z0 + z)));
  const z = normalQuantile(0.975);
  return [tail(-z), tail(z)];
}

/** The statistic of `resamples` samples of n clusters, drawn with replacement; samples without it are left out. */
function resample(
  n: number,
  statistic: Statistic,
  { key, resamples, strata }: { key: string; resamples: number; strata: readonly number[] },
): Estimate[] {
  const below = seededBelow(`bootstrap\0${key}`);
  const drawn: Estimate[] = [];
  const weights = new Uint16Array(n);
  for (let r = 0; r < resamples; r++) {
    weights.fill(0);
    let from = 0;
    for (const size of strata) {
      for (let i = 0; i < size; i++) {
        const cluster = from + below(size);
        weights[cluster] = (weights[cluster] as number) + 1;
      }
      from += size;
    }
    const estimate = statistic(weights);
    if (estimate !== null) drawn.push(estimate);
  }
  return drawn;
}

/**
 * 95% interval of a statistic of clusters (prefixes, tasks), resampling whole clusters: samples of one are not independent
 * (design 10). null for fewer than two clusters, where the statistic is not defined, and where all clusters say the same:
 * then the sample does not show how far it could be off.
 */
export function bootstrapInterval(n: number, statistic: Statistic, options: BootstrapOptions): Interval | null {
  const estimate = n < 2 ? null : statistic(ones(n));
  if (estimate === null || estimate.se === 0) return null;
  const { key, resamples = RESAMPLES, method = estimate.se === null ? "percentile" : "studentized" } = options;
  const drawn = resample(n, statistic, { key, resamples, strata: options.strata ?? [n] });
  if (method === "studentized" && estimate.se !== null) {
    const { value, se } = estimate;
    const ts = drawn
      .filter((d) => d.se !== null && d.se > 0)
      .map((d) => (d.value - value) / (d.se as number))
      .sort((a, b) => a - b);
    if (ts.length === 0) return null;
    // Where few clusters have anything, no resample shows what more of them could have brought.
    const t = options.bare ? 0 : tQuantile(0.975, n - 1);
    return {
      low: value - Math.max(t, quantileSorted(ts, 0.975)) * se,
      high: value + Math.max(t, -quantileSorted(ts, 0.025)) * se,
    };
  }
  const values = drawn.map((d) => d.value).sort((a, b) => a - b);
  if (values.length === 0) return null;
  const tail = expandedTail(n);
  const [low, high] = method === "bca" ? bcaTails(statistic, n, estimate.value, values) : [tail, 1 - tail];
  return { low: quantileSorted(values, low), high: quantileSorted(values, high) };
}

/** The smallest interval that holds both; the other where one is not known. */
export const union = (a: Interval | null, b: Interval | null): Interval | null =>
  a && b ? { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) } : (a ?? b);

/** Keeps the interval of a share inside [0, 1]. */
export const clip = (interval: Interval | null): Interval | null =>
  interval && { low: Math.max(0, interval.low), high: Math.min(1, interval.high) };
