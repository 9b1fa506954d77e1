import { type BootstrapOptions, bootstrapInterval, type Estimate, type Interval } from "./bootstrap";
import { difference, type Pair } from "./rate";
import { remembering } from "./remember";

/** Mean over groups of after - before, given how often each pair is in the sample; null where it is not defined. */
function estimate(groups: readonly (readonly Pair[])[], weights: Uint16Array): Estimate | null {
  let [sum, squares, from] = [0, 0, 0];
  for (const pairs of groups) {
    const own = difference(pairs, weights.subarray(from, from + pairs.length));
    if (own === null || own.se === null) return null;
    from += pairs.length;
    sum += own.value;
    squares += own.se ** 2;
  }
  return { value: sum / groups.length, se: Math.sqrt(squares) / groups.length };
}

/**
 * Interval of the mean over groups (misbehaviors) of after - before, paired by cluster (prefix) as in differenceOf: every
 * group counts the same, however many clusters it has, and is resampled by itself. null: not known, also where a group has
 * one cluster alone.
 */
export const meanDifferenceInterval = remembering(
  (given: readonly (readonly Pair[])[], options: Omit<BootstrapOptions, "strata">): { interval: Interval | null } => {
    const groups = given
      .map((pairs) => pairs.filter((p) => p.before.denominator > 0 && p.after.denominator > 0))
      .filter((pairs) => pairs.length > 0);
    if (groups.length === 0) return { interval: null };
    const strata = groups.map((pairs) => pairs.length);
    const n = strata.reduce((sum, size) => sum + size, 0);
    const drawn = bootstrapInterval(n, (w) => estimate(groups, w), { ...options, strata });
    return { interval: drawn && { low: Math.max(-1, drawn.low), high: Math.min(1, drawn.high) } };
  },
);
