import type { BootstrapOptions } from "@/lib/evaluate/stats/bootstrap";
import { type Coefficient, type Ratings, withInterval } from "./coefficient";

/**
 * Fleiss' kappa (1971) of counts, one row an item, one column a category; `weights`: how often each row counts. Rows with
 * fewer than two ratings do not count. Rows may differ in their number of ratings: each row's agreement and its shares
 * count once, whatever the number (Gwet 2014, 2.3); with equal numbers that is Fleiss' own formula. null where it is not
 * defined.
 */
export function fleissKappa(counts: readonly (readonly number[])[], weights?: Uint16Array): number | null {
  let rows = 0;
  let agreement = 0;
  const shares: number[] = [];
  counts.forEach((row, i) => {
    const w = weights ? (weights[i] as number) : 1;
    const n = row.reduce((a, b) => a + b, 0);
    if (w === 0 || n < 2) return;
    rows += w;
    let pairs = 0;
    row.forEach((count, j) => {
      pairs += count * (count - 1);
      shares[j] = (shares[j] ?? 0) + (w * count) / n;
    });
    agreement += (w * pairs) / (n * (n - 1));
  });
  if (rows === 0) return null;
  const categories = shares.filter((share) => share > 0);
  if (categories.length < 2) return null;
  const chance = categories.reduce((sum, share) => sum + (share / rows) ** 2, 0);
  return (agreement / rows - chance) / (1 - chance);
}

/** Counts of categories, a row an item with at least two ratings. */
export function countsOf(items: readonly Ratings[]): number[][] {
  const rated = items.filter((ratings) => ratings.length > 1);
  const categories = [...new Set(rated.flatMap((ratings) => ratings.map((r) => r.category)))].sort();
  return rated.map((ratings) => categories.map((c) => ratings.filter((r) => r.category === c).length));
}

/** Fleiss' kappa of ratings. */
export function fleissOf(items: readonly Ratings[], options: BootstrapOptions): Coefficient {
  const counts = countsOf(items);
  return withInterval(counts.length, (weights) => fleissKappa(counts, weights), options);
}
