import "server-only";
import type { Db } from "@/db/client";
import { getTaxonomy, newestOf, type TaxonomyRow, typesOf } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { nextVersion } from "@/lib/taxonomy/build/create";
import { countTaxonomy } from "@/lib/taxonomy/count";
import { carryAssignments, carryLabels } from "./carry";
import { draftOf, edited } from "./draft";
import { type DraftType, EditRefused, type GivenOperation, type Operation, operationSchema } from "./operations";

export interface Edits {
  /** The version that they are made on: the newest of its name. */
  taxonomyId: number;
  operations: GivenOperation[];
  note?: string | null;
  actor: string;
}

/** The version that an edit starts from. Throws EditRefused when it is none, or when somebody made a newer one meanwhile. */
function base(db: Db, taxonomyId: number): TaxonomyRow {
  const row = getTaxonomy(db, taxonomyId);
  if (!row) throw new EditRefused(`there is no taxonomy version ${taxonomyId}`);
  if (row.origin === "dataset")
    throw new EditRefused(`"${row.name}" holds the categories of an imported data set, which stay as they are`);
  if (row.status !== "done")
    throw new EditRefused(`version ${row.version} of ${row.name} is not finished (${row.status})`);
  const newest = newestOf(db, row.name);
  if (newest && newest.id !== row.id)
    throw new EditRefused(
      newest.status === "building"
        ? `version ${newest.version} of ${row.name} is being built; edit that one when it is done`
        : `version ${newest.version} of ${row.name} was made meanwhile${newest.author ? ` by ${newest.author}` : ""}: look at it and edit that one`,
    );
  return row;
}

function writeType(db: Db, taxonomyId: number, t: DraftType, rank: number): number {
  return Number(
    statement(
      db,
      `insert into error_type (taxonomy_id, slug, name, definition, excludes, example, looks_for, named, rank, lineage, detectors, examples, status)
       values (@taxonomyId, @slug, @name, @definition, @excludes, @example, @looksFor, @named, @rank, @lineage, @detectors, @examples, @status)`,
    ).run({
      taxonomyId,
      slug: t.slug,
      name: t.name,
      definition: t.definition,
      excludes: JSON.stringify(t.excludes),
      example: t.example,
      looksFor: t.looksFor,
      named: t.status === "kept" ? 1 : 0,
      rank,
      lineage: JSON.stringify(t.lineage),
      detectors: JSON.stringify(t.detectors),
      examples: JSON.stringify(t.examples),
      status: t.status,
    }).lastInsertRowid,
  );
}

/**
 * Makes the next version of a taxonomy by edits, applied in order: types with their lineage, labels carried, assignments
 * that the edits put in doubt marked stale, counters, the operations and the audit row, in one transaction. The version
 * edited stays as it is. Throws EditRefused with nothing written.
 */
export function applyEdits(
  db: Db,
  { taxonomyId, operations, note = null, actor }: Edits,
): { taxonomyId: number; version: number; stale: number } {
  const parsed: Operation[] = operations.map((op) => operationSchema.parse(op));
  if (parsed.length === 0) throw new EditRefused("nothing was edited");
  return db.$client
    .transaction(() => {
      const from = base(db, taxonomyId);
      let draft = draftOf(typesOf(db, taxonomyId));
      for (const op of parsed) draft = edited(draft, op);
      const version = nextVersion(db, from.name);
      const params = JSON.stringify({ ...JSON.parse(from.params), coverage: from.coverage });
      const id = Number(
        statement(
          db,
          `insert into taxonomy (name, version, parent_id, origin, note, study_id, status, params, author)
           select name, ?, id, 'edited', ?, study_id, 'done', ?, ? from taxonomy where id = ?`,
        ).run(version, note, params, actor, from.id).lastInsertRowid,
      );
      draft.forEach((type, i) => {
        carryLabels(db, writeType(db, id, type, i + 1), type);
      });
      const stale = carryAssignments(db, from.id, id, draft);
      const record = statement(
        db,
        "insert into taxonomy_operation (taxonomy_id, kind, details, actor) values (?, ?, ?, ?)",
      );
      for (const { kind, ...details } of parsed) record.run(id, kind, JSON.stringify(details), actor);
      statement(db, "insert into audit (actor, verb, subject, details) values (?, 'edit', ?, ?)").run(
        actor,
        `taxonomy:${id}`,
        JSON.stringify({ name: from.name, version, operations: parsed.map((op) => op.kind) }),
      );
      countTaxonomy(db, id);
      return { taxonomyId: id, version, stale };
    })
    .immediate();
}
