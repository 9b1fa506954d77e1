import "server-only";
import type { Db } from "@/db/client";
import { groupsAfter, rolloutsAfter, stepsAfter } from "@/db/queries/trainingExport";
import { trainingRow } from "@/db/queries/trainings";
import { type Cell, csvLine } from "@/lib/text/csv";
import { leavesOf } from "./differences";

export const EXPORT_TABLES = ["steps", "groups", "rollouts"] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

const PAGE = 500;

type Row = Record<string, unknown>;

function* pages<T>(load: (after: number) => T[], keyOf: (row: T) => number): Generator<T> {
  for (let after = -1; ; ) {
    const rows = load(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = keyOf(last);
  }
}

/** Rows of a table as they are stored, one page in memory at a time. Metrics are by path: "dead.vetoed". */
function* rowsOf(db: Db, id: number, table: ExportTable): Generator<Row> {
  if (table === "steps") {
    for (const { metrics, ...row } of pages(
      (after) => stepsAfter(db, id, after, PAGE),
      (r) => r.step,
    ))
      yield { ...row, ...Object.fromEntries(leavesOf(metrics)) };
    return;
  }
  const load = table === "groups" ? groupsAfter : rolloutsAfter;
  yield* pages<Row & { id: number }>(
    (after) => load(db, id, after, PAGE).map((row) => ({ ...row })),
    (r) => r.id,
  );
}

/** One table of a training as CSV: every row, piece by piece. A table without rows is one line that says so. */
export function* trainingCsv(db: Db, id: number, table: ExportTable): Generator<string> {
  let header: string[] | null = null;
  for (const row of rowsOf(db, id, table)) {
    if (header === null) {
      header = Object.keys(row);
      yield `${csvLine(header)}\r\n`;
    }
    yield `${csvLine(header.map((column) => (row[column] ?? null) as Cell))}\r\n`;
  }
  if (header === null) yield `no ${table} yet\r\n`;
}

/**
 * A training as JSON lines: what it was made with, then every step, group and rollout, and last how many of each there
 * are, so that a file that was cut short is known. undefined: there is no such training.
 */
export function trainingJsonl(db: Db, id: number): Generator<string> | undefined {
  const training = trainingRow(db, id);
  if (!training) return undefined;
  const { name, recipe, settings, seed, base, createdAt } = training;
  return (function* () {
    const line = (record: Row) => `${JSON.stringify(record)}\n`;
    yield line({ kind: "training", id, name, recipe, seed, base, createdAt, settings });
    const counts: Row = {};
    for (const table of EXPORT_TABLES) {
      let n = 0;
      for (const row of rowsOf(db, id, table)) {
        n++;
        yield line({ kind: table.slice(0, -1), ...row });
      }
      counts[table] = n;
    }
    yield line({ kind: "end", ...counts });
  })();
}
