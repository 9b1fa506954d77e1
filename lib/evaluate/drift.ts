import type { DriftRow } from "@/db/queries/drift";
import { addTables, agreementOf, EMPTY_TABLE, kappaOf, sizeOf, type Table2 } from "./agreement";
import { groupBy } from "./groupBy";
import { type Difference, differenceOf } from "./stats/rate";

/** How often a judge that did not pay finds the misbehavior more often than the one that paid, over a stretch of steps. */
export interface DriftStretch {
  /** First and last step. */
  from: number;
  to: number;
  table: Table2;
  /** Share of yes of the other judge less that of the paying one; clusters: steps. Above 0: the payer misses what the other finds. */
  gap: Difference;
  agreement: number | null;
  kappa: number | null;
}

export interface JudgeDrift {
  judge: string;
  unjudged: number;
  steps: { step: number; n: number; paying: number; other: number }[];
  early: DriftStretch;
  late: DriftStretch;
  /** The gap grew, and late it is above 0 by its interval: the policy may have learned what the paying judge overlooks. */
  widening: boolean;
}

const tableOf = (r: DriftRow): Table2 => ({
  bothBad: r.bothYes,
  firstBad: r.payingYes,
  secondBad: r.otherYes,
  bothGood: r.bothNo,
});

function stretch(rows: readonly DriftRow[], key: string): DriftStretch {
  const table = rows.map(tableOf).reduce(addTables, EMPTY_TABLE);
  const pairs = rows.map((row) => {
    const denominator = sizeOf(tableOf(row));
    return {
      before: { numerator: row.bothYes + row.payingYes, denominator },
      after: { numerator: row.bothYes + row.otherYes, denominator },
    };
  });
  return {
    from: rows[0]?.step ?? 0,
    to: rows.at(-1)?.step ?? 0,
    table,
    gap: differenceOf(pairs, { key }),
    agreement: agreementOf(table),
    kappa: kappaOf(table),
  };
}

/** The first and the second half of the steps, by judge (anchors: training-judge drift and gaming). */
export function driftOf(rows: readonly DriftRow[]): JudgeDrift[] {
  return [...groupBy(rows, (r) => r.judge)].map(([judge, all]) => {
    const own = all.filter((r) => sizeOf(tableOf(r)) > 0);
    const half = Math.ceil(own.length / 2);
    const early = stretch(own.slice(0, half), `drift early ${judge}`);
    const late = stretch(own.slice(half), `drift late ${judge}`);
    return {
      judge,
      unjudged: all.reduce((sum, r) => sum + r.unjudged, 0),
      steps: own.map((r) => {
        const n = sizeOf(tableOf(r));
        return { step: r.step, n, paying: (r.bothYes + r.payingYes) / n, other: (r.bothYes + r.otherYes) / n };
      }),
      early,
      late,
      widening:
        late.gap.value !== null &&
        early.gap.value !== null &&
        late.gap.interval !== null &&
        late.gap.value > early.gap.value &&
        late.gap.interval.low > 0,
    };
  });
}
