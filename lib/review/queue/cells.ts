import "server-only";
import type { Db } from "@/db/client";
import { type LabelledCount, labelledCounts } from "@/db/queries/behaviorRates";
import { all } from "@/db/queries/prepared";
import { labelledShares, ppiVariance } from "@/lib/evaluate/stats/labelsNeeded";
import { type Cell, unknownVariance } from "./draw";
import type { About, Subject } from "./source";

const grouped = <T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> => {
  const out = new Map<string, T[]>();
  for (const row of rows) out.set(key(row), [...(out.get(key(row)) ?? []), row]);
  return out;
};

/** Windows: the variance of the corrected rate (PPI++) of a misbehavior at a checkpoint, by its worst judge. */
function windowCells(db: Db, evaluationId: number, sizes: Map<string, number>): Map<string, Cell> {
  const names = new Map(
    all<{ key: string; stratum: string }>(
      db,
      `select distinct s.checkpoint_id || ':' || s.error_type_id as key, y.slug || ' · ' || c.name as stratum
       from behavior_sample s join error_type y on y.id = s.error_type_id join checkpoint c on c.id = s.checkpoint_id
       where s.evaluation_id = ?`,
      evaluationId,
    ).map(({ key, stratum }) => [key, stratum]),
  );
  const cells = new Map<string, Cell>();
  const counts = grouped(labelledCounts(db, evaluationId), (c: LabelledCount) => `${c.checkpointId}:${c.errorTypeId}`);
  for (const [key, rows] of counts) {
    const stratum = names.get(key);
    const judges = [...grouped(rows, (c) => c.judge).values()].flatMap((clusters) => labelledShares(clusters) ?? []);
    const labels = Math.min(...judges.map((j) => j.labels));
    if (stratum === undefined) continue;
    // Few labels that agree by chance have no variance of their own: not less than nobody's knowledge then.
    const unknown = unknownVariance(sizes.get(stratum) ?? 1);
    cells.set(stratum, {
      labels: judges.length === 0 ? 0 : labels,
      variance: (n) =>
        judges.length === 0 || n === 0
          ? unknown(n)
          : Math.max(...judges.map((j) => (n >= j.windows ? 0 : ppiVariance(j, n) || unknown(n)))),
    });
  }
  return cells;
}

/**
 * What people's labels there are say of each stratum, for the expected narrowing. Windows: the corrected rate. Steps and
 * prefixes: the share of a type's items that people confirm, smoothed by one yes and one no, in a stratum of finite size.
 */
export function cellsOf(db: Db, subjects: readonly Subject[], { question, evaluationId }: About): Map<string, Cell> {
  const sizes = new Map<string, number>();
  for (const { stratum } of subjects) sizes.set(stratum, (sizes.get(stratum) ?? 0) + 1);
  if (question === "window" && evaluationId !== null) return windowCells(db, evaluationId, sizes);
  const decided = new Map(
    all<{ id: number; yes: number }>(
      db,
      `select i.subject_id as id, max(s.verdict in ('wrong', 'types', 'good')) as yes
       from review_settlement s join review_item i on i.id = s.item_id join review_queue q on q.id = i.queue_id and q.question = ?
       where s.current = 1 group by i.subject_id`,
      question,
    ).map(({ id, yes }) => [id, yes]),
  );
  const counted = new Map<string, { labels: number; yes: number }>();
  for (const { subjectId, stratum } of subjects) {
    const yes = decided.get(subjectId);
    if (yes === undefined) continue;
    const of = counted.get(stratum) ?? { labels: 0, yes: 0 };
    counted.set(stratum, { labels: of.labels + 1, yes: of.yes + yes });
  }
  return new Map(
    [...sizes].map(([stratum, size]) => {
      const { labels, yes } = counted.get(stratum) ?? { labels: 0, yes: 0 };
      return [stratum, { labels, variance: unknownVariance(size, yes, labels) }];
    }),
  );
}
