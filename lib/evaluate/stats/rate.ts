import { type BootstrapOptions, bootstrapInterval, clip, type Interval, union } from "./bootstrap";
import { tQuantile } from "./distributions";
import { type Cluster, ratio, robustSe } from "./linear";
import { permutationP } from "./permutation";
import { remembering } from "./remember";

/** A share of samples with its interval. `value` null: nothing is in the denominator. */
export interface Rate {
  numerator: number;
  denominator: number;
  value: number | null;
  interval: Interval | null;
  /** Clusters with something in the denominator. */
  clusters: number;
}

const some = (clusters: readonly Cluster[]) => clusters.filter((c) => c.denominator > 0);
const total = (clusters: readonly Cluster[], key: keyof Cluster) => clusters.reduce((sum, c) => sum + c[key], 0);

/**
 * Share of the samples of one more prefix that goes the rare way. Where few prefixes have it, their spread shows too little
 * of how high the unseen ones are; with this the interval covers 93% to 97% also there (docs/coverage.md).
 */
const UNSEEN = 0.22;

/** How many independent samples the clusters are worth: p (1 - p) / SE². Where no spread is seen, a cluster is one. */
function effectiveSize(clusters: readonly Cluster[]): number {
  const estimate = ratio(clusters, new Uint16Array(clusters.length).fill(1));
  if (estimate === null) return 0;
  const { value: p, se } = estimate;
  return se === null || se === 0 ? clusters.length : Math.min(total(clusters, "denominator"), (p * (1 - p)) / se ** 2);
}

/**
 * Wilson's interval with as many trials as the clusters are worth, and Student's t for the normal quantile (Korn and
 * Graubard 1998): known also where no or every sample counts; then a cluster is one trial.
 */
function effectiveWilson(clusters: readonly Cluster[]): Interval | null {
  const g = clusters.length;
  if (g < 2) return null;
  const size = total(clusters, "denominator") / g;
  const p = total(clusters, "numerator") / (size * g);
  const unseen = { numerator: size * (p > 0.5 ? 1 - UNSEEN : UNSEEN), denominator: size };
  const n = Math.min(effectiveSize(clusters), effectiveSize([...clusters, unseen]));
  const t2 = tQuantile(0.975, g - 1) ** 2;
  const centre = (p + t2 / (2 * n)) / (1 + t2 / n);
  const half = Math.sqrt((t2 * p * (1 - p)) / n + (t2 / (2 * n)) ** 2) / (1 + t2 / n);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * A misbehavior rate over clusters (prefixes), and its interval: studentized ones are never narrower than Wilson's at the
 * effective sample size. null for fewer than two clusters.
 */
export const rateOf = remembering((clusters: readonly Cluster[], options: BootstrapOptions): Rate => {
  const used = some(clusters);
  const numerator = total(used, "numerator");
  const denominator = total(used, "denominator");
  const drawn = clip(bootstrapInterval(used.length, (w) => ratio(used, w), { ...options, bare: true }));
  const studentized = (options.method ?? "studentized") === "studentized";
  const interval = studentized || drawn === null ? union(drawn, effectiveWilson(used)) : drawn;
  return {
    numerator,
    denominator,
    value: denominator === 0 ? null : numerator / denominator,
    interval,
    clusters: used.length,
  };
});

/** The same clusters under two policies. */
export interface Pair {
  before: Cluster;
  after: Cluster;
}

/** after - before over clusters that both have, with its interval and the p-value of a permutation test. */
export interface Difference {
  value: number | null;
  interval: Interval | null;
  /** Of no difference, two-sided; null where it cannot be asked. */
  p: number | null;
  clusters: number;
}

/** after - before of pairs, given how often each is in the sample; null where one side has no denominator. */
export function difference(pairs: readonly Pair[], weights: Uint16Array) {
  const befores = pairs.map((p) => p.before);
  const afters = pairs.map((p) => p.after);
  const before = ratio(befores, weights);
  const after = ratio(afters, weights);
  if (!before || !after) return null;
  const of = (clusters: readonly Cluster[]) =>
    clusters.reduce((sum, c, i) => sum + (weights[i] as number) * c.denominator, 0);
  const [n0, n1] = [of(befores), of(afters)];
  const se = robustSe(weights, (i) => {
    const { before: b, after: a } = pairs[i] as Pair;
    return (a.numerator - after.value * a.denominator) / n1 - (b.numerator - before.value * b.denominator) / n0;
  });
  return { value: after.value - before.value, se };
}

/** Paired by cluster: clusters that only one side has are left out. */
export const differenceOf = remembering(
  (pairs: readonly Pair[], options: BootstrapOptions & { withoutP?: boolean }): Difference => {
    const used = pairs.filter((p) => p.before.denominator > 0 && p.after.denominator > 0);
    const estimate = difference(used, new Uint16Array(used.length).fill(1));
    if (estimate === null) return { value: null, interval: null, p: null, clusters: used.length };
    const drawn = bootstrapInterval(used.length, (w) => difference(used, w), options);
    // Shares are at most 1 apart; a resample of few clusters may put the end anywhere.
    const interval = drawn && { low: Math.max(-1, drawn.low), high: Math.min(1, drawn.high) };
    return {
      value: estimate.value,
      interval,
      p: options.withoutP ? null : permutationP(used, options.key),
      clusters: used.length,
    };
  },
);
