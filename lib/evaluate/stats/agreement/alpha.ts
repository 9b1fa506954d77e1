import type { BootstrapOptions } from "@/lib/evaluate/stats/bootstrap";
import { type Coefficient, type Ratings, withInterval } from "./coefficient";
import { type Distance, nominal } from "./distance";

/** One item with at least two ratings, as alpha needs it. */
interface Unit {
  ratings: number;
  /** Sum of the distances of all ordered pairs of its ratings, over ratings - 1. */
  disagreement: number;
  /** [index of the category, how often] */
  counts: [number, number][];
}

function unitsOf(items: readonly Ratings[], distance: Distance) {
  const rated = items.filter((ratings) => ratings.length > 1);
  const categories = [...new Set(rated.flatMap((ratings) => ratings.map((r) => r.category)))].sort();
  const apart = categories.map((a) => categories.map((b) => distance(a, b)));
  const units = rated.map((ratings): Unit => {
    const counts = new Map<number, number>();
    for (const { category } of ratings) {
      const at = categories.indexOf(category);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    const list = [...counts];
    let sum = 0;
    for (const [a, n] of list) for (const [b, m] of list) sum += n * m * ((apart[a] as number[])[b] as number);
    return { ratings: ratings.length, disagreement: sum / (ratings.length - 1), counts: list };
  });
  return { units, apart };
}

/**
 * Krippendorff's alpha (2011) of ratings with any number of raters and missing ones; items with fewer than two do not
 * count. `distance`: nominal, or MASI for sets (Passonneau 2006 puts the distance itself in, not its square). Not defined
 * where all ratings are the same.
 */
export function alphaOf(
  items: readonly Ratings[],
  options: BootstrapOptions,
  distance: Distance = nominal,
): Coefficient {
  const { units, apart } = unitsOf(items, distance);
  const of = (weights: Uint16Array): number | null => {
    const totals = new Float64Array(apart.length);
    let n = 0;
    let observed = 0;
    units.forEach((unit, i) => {
      const w = weights[i] as number;
      if (w === 0) return;
      n += w * unit.ratings;
      observed += w * unit.disagreement;
      for (const [category, count] of unit.counts) totals[category] = (totals[category] as number) + w * count;
    });
    let expected = 0;
    for (let a = 0; a < totals.length; a++) {
      if (totals[a] === 0) continue;
      for (let b = 0; b < totals.length; b++)
        expected += (totals[a] as number) * (totals[b] as number) * ((apart[a] as number[])[b] as number);
    }
    return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
  };
  return withInterval(units.length, of, options);
}
