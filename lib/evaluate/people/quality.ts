import {
  addTables,
  agreementOf,
  EMPTY_TABLE,
  kappaOf,
  sizeOf,
  type Table2,
  tableBootstrap,
} from "@/lib/evaluate/agreement";
import type { Interval } from "@/lib/evaluate/intervals";
import { type Rate, rateOf } from "@/lib/evaluate/stats/rate";

/**
 * Why it is not known how much of what people call so it finds: they saw only steps that were flagged, or no step, or no
 * window, that is known to be drawn at random from all.
 */
export type RecallUnknown = "flagged" | "chosen" | "windows";

export const RECALL_UNKNOWN: Record<RecallUnknown, string> = {
  flagged: "drawn from flagged steps only",
  chosen: "no step is known to be drawn at random from all",
  windows: "no window was drawn at random from all",
};

/** How well something finds what people call so; the clusters of intervals are trajectories or prefixes. */
export interface Quality {
  /** `firstBad`: people alone say so; `secondBad`: it alone does. */
  table: Table2;
  steps: number;
  clusters: number;
  agreement: number | null;
  agreementInterval: Interval | null;
  kappa: number | null;
  kappaInterval: Interval | null;
  /** Of what it calls so, what people do. */
  precision: Rate;
  /** Of what people call so, what it does; or why that is not known. */
  recall: Rate | { notKnown: RecallUnknown };
}

/** An interval of no width says that the sample does not show how far it could be off. */
const wide = (interval: Interval | null): Interval | null =>
  interval !== null && interval.low < interval.high ? interval : null;

/**
 * Quality over clusters, people first in each table. `forRecall`: those of them that also stand for what nothing flagged, or
 * why there are none. Deterministic in `key`.
 */
export function qualityAgainstPeople(
  clusters: readonly Table2[],
  key: string,
  forRecall: readonly Table2[] | RecallUnknown = clusters,
): Quality {
  const table = clusters.reduce(addTables, EMPTY_TABLE);
  const rate = (of: readonly Table2[], denominator: (t: Table2) => number) =>
    rateOf(
      of.map((t) => ({ numerator: t.bothBad, denominator: denominator(t) })),
      { key, resamples: 1000 },
    );
  return {
    table,
    steps: sizeOf(table),
    clusters: clusters.filter((c) => sizeOf(c) > 0).length,
    agreement: agreementOf(table),
    agreementInterval: wide(tableBootstrap(clusters, agreementOf, key)),
    kappa: kappaOf(table),
    kappaInterval: wide(tableBootstrap(clusters, kappaOf, key)),
    precision: rate(clusters, (t) => t.bothBad + t.secondBad),
    recall: typeof forRecall === "string" ? { notKnown: forRecall } : rate(forRecall, (t) => t.bothBad + t.firstBad),
  };
}
