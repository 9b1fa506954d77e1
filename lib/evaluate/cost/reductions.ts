import "server-only";
import type { Db } from "@/db/client";
import { type VerdictCount, verdictCounts } from "@/db/queries/behaviorRates";
import { measuredTrainings } from "@/db/queries/costPhases";
import { statement } from "@/db/statement";
import { groupBy } from "@/lib/evaluate/groupBy";
import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import { meanDifferenceInterval } from "@/lib/evaluate/stats/meanDifference";

/** By how much a checkpoint's mean misbehavior rate is below the first policy's, by one judge. */
export interface MeasuredReduction {
  evaluationId: number;
  checkpoint: string;
  judge: string;
  /** Percentage points of the mean over misbehaviors that both policies have verdicts on; negative: it rose. */
  points: number;
  /** 95% interval of `points`, over the prefixes that both policies have verdicts on; null: not known. */
  interval: Interval | null;
  misbehaviors: number;
}

/**
 * What a reduction shows: its interval lies above zero | it holds zero, or is not known: nothing was told apart, and what a
 * point of it costs means nothing | the interval lies below zero.
 */
export const shownBy = ({ interval }: Pick<MeasuredReduction, "interval">): "fell" | "nothing" | "rose" =>
  interval !== null && interval.low > 0 ? "fell" : interval !== null && interval.high < 0 ? "rose" : "nothing";

const yesOf = (rows: readonly VerdictCount[]) => rows.reduce((sum, r) => sum + r.yes, 0);
const saidOf = (rows: readonly VerdictCount[]) => rows.reduce((sum, r) => sum + r.yes + r.no, 0);

const clusterOf = (r: VerdictCount) => ({ numerator: r.yes, denominator: r.yes + r.no });

/**
 * Mean rate of the first policy less that of another, over misbehaviors with verdicts under both; null without any. The
 * draws of its interval depend on `key` alone.
 */
export function pointsBetween(
  base: readonly VerdictCount[],
  other: readonly VerdictCount[],
  key: string,
): Pick<MeasuredReduction, "points" | "interval" | "misbehaviors"> | null {
  const of = (rows: readonly VerdictCount[]) => groupBy(rows, (r) => String(r.errorTypeId));
  const first = of(base);
  const both = [...of(other)].flatMap(([type, rows]) => {
    const before = first.get(type) ?? [];
    return saidOf(before) === 0 || saidOf(rows) === 0 ? [] : [{ before, rows }];
  });
  if (both.length === 0) return null;
  const gaps = both.map(({ before, rows }) => 100 * (yesOf(before) / saidOf(before) - yesOf(rows) / saidOf(rows)));
  // From the other to the first, so that a reduction is above zero.
  const pairs = both.map(({ before, rows }) => {
    const own = new Map(rows.map((r) => [r.prefixId, r]));
    return before.flatMap((b) => {
      const after = own.get(b.prefixId);
      return after ? [{ before: clusterOf(after), after: clusterOf(b) }] : [];
    });
  });
  const { interval } = meanDifferenceInterval(pairs, { key });
  return {
    points: gaps.reduce((a, b) => a + b, 0) / gaps.length,
    interval: interval && { low: 100 * interval.low, high: 100 * interval.high },
    misbehaviors: gaps.length,
  };
}

/** What was measured of the checkpoints of each training, in its newest measurement. */
export function measuredReductions(db: Db): Map<number, MeasuredReduction[]> {
  const newest = new Map<number, ReturnType<typeof measuredTrainings>>();
  for (const row of measuredTrainings(db)) {
    const held = newest.get(row.trainingId);
    if (held?.[0]?.evaluationId === row.evaluationId) held.push(row);
    else newest.set(row.trainingId, [row]);
  }
  const result = new Map<number, MeasuredReduction[]>();
  for (const [trainingId, rows] of newest) {
    const evaluationId = rows[0]?.evaluationId ?? 0;
    const first = statement(db, "select json_extract(protocol, '$.checkpoints[0]') from evaluation where id = ?")
      .pluck()
      .get(evaluationId) as number | null;
    const counts = verdictCounts(db, evaluationId);
    const judges = [...new Set(counts.map((c) => c.judge))];
    const of = (checkpoint: number | null, judge: string) =>
      counts.filter((c) => c.checkpointId === checkpoint && c.judge === judge);
    result.set(
      trainingId,
      rows.flatMap(({ checkpointId, checkpoint }) =>
        judges.flatMap((judge) => {
          const between =
            checkpointId === first
              ? null
              : pointsBetween(
                  of(first, judge),
                  of(checkpointId, judge),
                  `cost ${evaluationId} ${checkpointId} ${judge}`,
                );
          return between === null ? [] : [{ evaluationId, checkpoint, judge, ...between }];
        }),
      ),
    );
  }
  return result;
}
