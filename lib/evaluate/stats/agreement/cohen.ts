import type { BootstrapOptions } from "@/lib/evaluate/stats/bootstrap";
import { type Coefficient, type Ratings, withInterval } from "./coefficient";

/**
 * Cohen's kappa (1960) of a square table, rows the first rater, columns the second; cells are counts or shares. null
 * without any count, and where chance alone would agree always.
 */
export function cohenKappa(table: readonly (readonly number[])[]): number | null {
  let n = 0;
  let same = 0;
  const columns = table.map(() => 0);
  const rows = table.map((row, i) =>
    row.reduce((sum, cell, j) => {
      columns[j] = (columns[j] as number) + cell;
      if (i === j) same += cell;
      n += cell;
      return sum + cell;
    }, 0),
  );
  if (n === 0) return null;
  const chance = rows.reduce((sum, row, i) => sum + row * (columns[i] as number), 0) / n ** 2;
  return chance === 1 ? null : (same / n - chance) / (1 - chance);
}

/** What two raters said of the items that both rated. */
export interface PairTable {
  first: number;
  second: number;
  categories: string[];
  /** Counts, [first's category][second's]. */
  table: number[][];
  items: number;
}

/** Of every item both rated, the pair of categories, as indices of `categories`. */
function cellsOf(items: readonly Ratings[], first: number, second: number, categories: readonly string[]) {
  return items.flatMap((ratings) => {
    const a = ratings.find((r) => r.rater === first);
    const b = ratings.find((r) => r.rater === second);
    return a && b ? [[categories.indexOf(a.category), categories.indexOf(b.category)] as const] : [];
  });
}

const categoriesOf = (items: readonly Ratings[]): string[] =>
  [...new Set(items.flatMap((ratings) => ratings.map((r) => r.category)))].sort();

const ratersOf = (items: readonly Ratings[]): number[] =>
  [...new Set(items.flatMap((ratings) => ratings.map((r) => r.rater)))].sort((a, b) => a - b);

function tabulate(cells: readonly (readonly [number, number])[], size: number, weights?: Uint16Array): number[][] {
  const table = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  cells.forEach(([a, b], i) => {
    const row = table[a] as number[];
    row[b] = (row[b] as number) + (weights ? (weights[i] as number) : 1);
  });
  return table;
}

/** Cohen's kappa of two raters over the items both rated, with the table it comes from. */
export function pairKappa(
  items: readonly Ratings[],
  first: number,
  second: number,
  options: BootstrapOptions,
): PairTable & { kappa: Coefficient } {
  const categories = categoriesOf(items);
  const cells = cellsOf(items, first, second, categories);
  const kappa = withInterval(cells.length, (w) => cohenKappa(tabulate(cells, categories.length, w)), options);
  return {
    first,
    second,
    categories,
    table: tabulate(cells, categories.length),
    items: cells.length,
    kappa,
  };
}

/** Mean of Cohen's kappa over pairs of raters. */
export interface MeanKappa extends Coefficient {
  /** Pairs with a kappa; of those in `pairs`. */
  defined: number;
  /** Pairs with an item in common. */
  pairs: number;
}

/**
 * Mean of Cohen's kappa over all pairs of raters that have one (Light 1971), each pair counting once. The interval
 * resamples the items of all.
 */
export function meanKappa(items: readonly Ratings[], options: BootstrapOptions): MeanKappa {
  const rated = items.filter((ratings) => ratings.length > 1);
  const categories = categoriesOf(rated);
  const raters = ratersOf(rated);
  const pairs = raters.flatMap((first, i) =>
    raters.slice(i + 1).flatMap((second) => {
      const cells: [number, number][] = [];
      const at: number[] = [];
      rated.forEach((ratings, item) => {
        const [cell] = cellsOf([ratings], first, second, categories);
        if (!cell) return;
        cells.push([cell[0], cell[1]]);
        at.push(item);
      });
      return cells.length > 0 ? [{ cells, at }] : [];
    }),
  );
  const kappas = (weights: Uint16Array): number[] =>
    pairs.flatMap(({ cells, at }) => {
      const kappa = cohenKappa(
        tabulate(
          cells,
          categories.length,
          Uint16Array.from(at, (i) => weights[i] as number),
        ),
      );
      return kappa === null ? [] : [kappa];
    });
  const mean = (weights: Uint16Array): number | null => {
    const values = kappas(weights);
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;
  };
  const defined = kappas(new Uint16Array(rated.length).fill(1)).length;
  return { ...withInterval(rated.length, mean, options), defined, pairs: pairs.length };
}
