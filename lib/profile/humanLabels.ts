import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { HumanLabel } from "@/lib/trajectory/types";
import { addErrorStep, localizerId, recount } from "./errorSteps";

const slugOf = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "unnamed";

function categoryId(db: Db, dataset: string, category: string): number {
  const s = db.$client;
  s.prepare(
    "insert or ignore into taxonomy (name, version, origin, note) values (?, 1, 'dataset', 'Categories of an imported data set')",
  ).run(dataset);
  const taxonomy = s.prepare("select id from taxonomy where name = ? and version = 1").pluck().get(dataset);
  s.prepare(
    "insert or ignore into error_type (taxonomy_id, slug, name, definition, named) values (?, ?, ?, 'As the data set defines it.', 0)",
  ).run(taxonomy, slugOf(category), category);
  return s
    .prepare("select id from error_type where taxonomy_id = ? and slug = ?")
    .pluck()
    .get(taxonomy, slugOf(category)) as number;
}

/** Stores labels by people that came with an imported file, with the data set as their source. Inside a transaction. */
export function storeHumanLabels(db: Db, trajectoryId: number, labels: readonly HumanLabel[]): void {
  if (labels.length === 0) return;
  const s = db.$client;
  const known = s.prepare(
    "select 1 from localization where step_id = ? and localizer_id = ? and reason is ? and command_seen is ?",
  );
  for (const l of labels) {
    const localizer = localizerId(db, "dataset", l.dataset, "1");
    const step = trajectoryId * SPAN + l.step;
    const seen = l.root ? "root cause" : null;
    if (known.get(step, localizer, l.reason, seen)) continue;
    addErrorStep(db, trajectoryId, l.step);
    const id = s
      .prepare(
        "insert into localization (step_id, localizer_id, verdict, reason, command_seen) values (?, ?, 'bad', ?, ?)",
      )
      .run(step, localizer, l.reason, seen).lastInsertRowid;
    if (l.reason !== null) s.prepare("insert into reason_fts (rowid, reason) values (?, ?)").run(id, l.reason);
    if (l.category === null) continue;
    s.prepare(
      "insert into label (step_id, error_type_id, source, localizer_id, localization_id, reason) values (?, ?, 'dataset', ?, ?, ?)",
    ).run(step, categoryId(db, l.dataset, l.category), localizer, id, l.reason);
  }
  recount(db, trajectoryId);
}
