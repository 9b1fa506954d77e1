import type { BootstrapOptions } from "@/lib/evaluate/stats/bootstrap";
import { type Rate, rateOf } from "@/lib/evaluate/stats/rate";
import type { Ratings } from "./coefficient";

/**
 * Raw agreement: of all pairs of answers to the same item, those that are the same. Clusters are items. Chance is not taken
 * out, so that where nearly everything is one category it is high whatever people do.
 */
export const rawAgreement = (items: readonly Ratings[], options: BootstrapOptions): Rate =>
  rateOf(
    items.map((ratings) => {
      const counts = new Map<string, number>();
      for (const { category } of ratings) counts.set(category, (counts.get(category) ?? 0) + 1);
      const numerator = [...counts.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
      return { numerator, denominator: (ratings.length * (ratings.length - 1)) / 2 };
    }),
    options,
  );
