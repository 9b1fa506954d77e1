import { type BootstrapOptions, bootstrapInterval, type Interval } from "@/lib/evaluate/stats/bootstrap";

/** Ratings of one item: who said which category. Somebody who said nothing is not in it. */
export type Ratings = readonly { rater: number; category: string }[];

/** Why a coefficient has no value. */
export type Undefined = "no-overlap" | "one-category";

export const UNDEFINED_TEXT: Record<Undefined, string> = {
  "no-overlap": "no item has two answers",
  "one-category": "one category alone was ever said, so that chance would agree as often",
};

/** An agreement coefficient: at most 1, 0 is what chance gives. `value` null: it is not defined, see `reason`. */
export interface Coefficient {
  value: number | null;
  reason: Undefined | null;
  /** 95%, resampling items; null without a value, for fewer than two items, and where every resample says the same. */
  interval: Interval | null;
  /** Items with at least two answers. */
  items: number;
}

/** A coefficient of items given how often each counts; null where it is not defined. */
export type OfItems = (weights: Uint16Array) => number | null;

/** The coefficient of all items with its percentile interval. `items`: those with two answers, which the weights are of. */
export function withInterval(items: number, of: OfItems, options: BootstrapOptions): Coefficient {
  if (items === 0) return { value: null, reason: "no-overlap", interval: null, items };
  const value = of(new Uint16Array(items).fill(1));
  if (value === null) return { value, reason: "one-category", interval: null, items };
  const statistic = (weights: Uint16Array) => {
    const drawn = of(weights);
    return drawn === null ? null : { value: drawn, se: null };
  };
  const interval = bootstrapInterval(items, statistic, { ...options, method: "percentile" });
  const known = interval !== null && interval.low < interval.high;
  return { value, reason: null, interval: known ? interval : null, items };
}
