import "server-only";
import type { Db } from "@/db/client";
import { type VerdictCount, verdictCounts } from "@/db/queries/behaviorRates";
import { measuredTrainings } from "@/db/queries/costPhases";
import { statement } from "@/db/statement";
import { groupBy } from "@/lib/evaluate/groupBy";

/** By how much a checkpoint's mean misbehavior rate is below the first policy's, by one judge. */
export interface MeasuredReduction {
  evaluationId: number;
  checkpoint: string;
  judge: string;
  /** Percentage points of the mean over misbehaviors that both policies have verdicts on; negative: it rose. */
  points: number;
  misbehaviors: number;
}

const yesOf = (rows: readonly VerdictCount[]) => rows.reduce((sum, r) => sum + r.yes, 0);
const saidOf = (rows: readonly VerdictCount[]) => rows.reduce((sum, r) => sum + r.yes + r.no, 0);

/** Mean rate of the first policy less that of another, over misbehaviors with verdicts under both; null without any. */
export function pointsBetween(
  base: readonly VerdictCount[],
  other: readonly VerdictCount[],
): { points: number; misbehaviors: number } | null {
  const of = (rows: readonly VerdictCount[]) => groupBy(rows, (r) => String(r.errorTypeId));
  const first = of(base);
  const gaps = [...of(other)].flatMap(([type, rows]) => {
    const before = first.get(type) ?? [];
    if (saidOf(before) === 0 || saidOf(rows) === 0) return [];
    return [100 * (yesOf(before) / saidOf(before) - yesOf(rows) / saidOf(rows))];
  });
  if (gaps.length === 0) return null;
  return { points: gaps.reduce((a, b) => a + b, 0) / gaps.length, misbehaviors: gaps.length };
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
          const between = checkpointId === first ? null : pointsBetween(of(first, judge), of(checkpointId, judge));
          return between === null ? [] : [{ evaluationId, checkpoint, judge, ...between }];
        }),
      ),
    );
  }
  return result;
}
