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
  /** Of what people call so, what it does. */
  recall: Rate;
}

/** An interval of no width says that the sample does not show how far it could be off. */
const wide = (interval: Interval | null): Interval | null =>
  interval !== null && interval.low < interval.high ? interval : null;

/** Quality over clusters, people first in each table. Deterministic in `key`. */
export function qualityAgainstPeople(clusters: readonly Table2[], key: string): Quality {
  const table = clusters.reduce(addTables, EMPTY_TABLE);
  const rate = (denominator: (t: Table2) => number) =>
    rateOf(
      clusters.map((t) => ({ numerator: t.bothBad, denominator: denominator(t) })),
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
    precision: rate((t) => t.bothBad + t.secondBad),
    recall: rate((t) => t.bothBad + t.firstBad),
  };
}
