import type { Confusion, ConfusionRow } from "@/db/queries/confusion";
import { type Interval, wilson } from "@/lib/evaluate/intervals";

/** Recall of a localizer on one injected type, or its false alarms on steps known to be right. Steps without a verdict are left out. */
export interface Recall {
  /** null: steps known to be right; `hits` are then false alarms. */
  slug: string | null;
  hits: number;
  /** Flagged with whatever type. */
  any: number;
  steps: number;
  unjudged: number;
  interval: Interval | null;
}

const recall = (row: ConfusionRow): Recall => {
  const steps = row.steps - row.unjudged;
  const hits = row.slug === null ? row.any : (row.flagged[row.slug] ?? 0);
  return { slug: row.slug, hits, any: row.any, steps, unjudged: row.unjudged, interval: wilson(hits, steps) };
};

export const recalls = (table: Confusion): Recall[] => table.rows.map(recall);

const percent = (x: number): string => (100 * x).toFixed(1);

/** "97.3% (95.0–98.6)", or that there is nothing to divide by. */
export const rate = (n: number, of: number, interval: Interval | null): string =>
  of === 0 || interval === null
    ? "no data"
    : `${percent(n / of)}% (${percent(interval.low)}–${percent(interval.high)})`;

/** The table as text: rows are what was injected, columns what it was flagged as. */
export function confusionLines(table: Confusion): string[] {
  if (table.rows.length === 0) return ["no step of known truth: nothing was injected"];
  const width = 20;
  const names = [...table.columns.map((c) => c.slug), "untyped", "not flagged", "not judged"];
  const cells = (row: ConfusionRow) => [
    ...table.columns.map((c) => row.flagged[c.slug] ?? 0),
    row.untyped,
    row.notFlagged,
    row.unjudged,
  ];
  const numbered = names.map((name, i) => `  ${i + 1}: ${name}`);
  return [
    "injected (rows) against flagged (columns); a step flagged with two types counts under both",
    ...numbered,
    `${"".padEnd(width)} ${"steps".padStart(6)} ${names.map((_, i) => String(i + 1).padStart(5)).join(" ")}`,
    ...table.rows.map(
      (row) =>
        `${(row.slug ?? "(right)").padEnd(width)} ${String(row.steps).padStart(6)} ${cells(row)
          .map((n) => String(n).padStart(5))
          .join(" ")}`,
    ),
    "",
    ...recalls(table).map(
      (r) =>
        `${(r.slug === null ? "false alarms" : `recall ${r.slug}`).padEnd(27)} ${r.hits} of ${r.steps}: ${rate(r.hits, r.steps, r.interval)}`,
    ),
  ];
}
