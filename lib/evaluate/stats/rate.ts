import { type BootstrapOptions, bootstrapInterval, clip, type Interval } from "./bootstrap";
import { type Cluster, ratio, robustSe } from "./linear";
import { permutationP } from "./permutation";

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

/** A misbehavior rate over clusters (prefixes), and its interval. */
export function rateOf(clusters: readonly Cluster[], options: BootstrapOptions): Rate {
  const used = some(clusters);
  const numerator = total(used, "numerator");
  const denominator = total(used, "denominator");
  return {
    numerator,
    denominator,
    value: denominator === 0 ? null : numerator / denominator,
    interval: clip(bootstrapInterval(used.length, (w) => ratio(used, w), options)),
    clusters: used.length,
  };
}

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

function difference(pairs: readonly Pair[], weights: Uint16Array) {
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
export function differenceOf(pairs: readonly Pair[], options: BootstrapOptions & { withoutP?: boolean }): Difference {
  const used = pairs.filter((p) => p.before.denominator > 0 && p.after.denominator > 0);
  const estimate = difference(used, new Uint16Array(used.length).fill(1));
  if (estimate === null) return { value: null, interval: null, p: null, clusters: used.length };
  const interval = bootstrapInterval(used.length, (w) => difference(used, w), options);
  return {
    value: estimate.value,
    interval,
    p: options.withoutP ? null : permutationP(used, options.key),
    clusters: used.length,
  };
}
