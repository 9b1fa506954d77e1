import "server-only";
import type { Db } from "@/db/client";
import { one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { type GivenTaxonomySettings, type TaxonomyParams, taxonomySettings } from "@/lib/taxonomy/settings";

/** A name that cannot be built or imported under. */
export class NameTaken extends Error {}

/** Letters, digits and -_. and spaces: names stand in addresses of the command line as name@version. */
export const TAXONOMY_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;

/** Throws NameTaken when builds and imports may not add versions under a name: a data set's own categories, the built-in ones. */
export function checkName(db: Db, name: string): void {
  if (!TAXONOMY_NAME.test(name))
    throw new NameTaken(`"${name}" is no name for a taxonomy: letters, digits, spaces and . _ - are, 80 at most`);
  const row = one<{ origin: string }>(
    db,
    "select origin from taxonomy where name = ? and origin in ('dataset', 'builtin') limit 1",
    name,
  );
  if (row?.origin === "dataset")
    throw new NameTaken(`"${name}" holds the categories of an imported data set; choose another name`);
  if (row)
    throw new NameTaken(`"${name}" is the built-in taxonomy, which only edits add versions to; choose another name`);
}

/** The version after the last one of a name. */
export const nextVersion = (db: Db, name: string): number =>
  (one<{ v: number | null }>(db, "select max(version) as v from taxonomy where name = ?", name)?.v ?? 0) + 1;

export interface NewBuild {
  name: string;
  settings: GivenTaxonomySettings;
  note?: string | null;
  jobId: number;
}

/** The row of a version that a job will build. Call in the transaction that queues the job. Throws NameTaken and ZodError. */
export function createBuild(db: Db, { name, settings, note = null, jobId }: NewBuild): number {
  checkName(db, name);
  const build = taxonomySettings.parse(settings);
  const params: TaxonomyParams = { coverage: "assigned", build };
  const author = build.annotator.use === "rules" ? "rules" : (build.annotator.model ?? "model of the annotator role");
  return Number(
    statement(
      db,
      `insert into taxonomy (name, version, origin, note, job_id, status, params, author) values (?, ?, 'annotator', ?, ?, 'building', ?, ?)`,
    ).run(name, nextVersion(db, name), note, jobId, JSON.stringify(params), author).lastInsertRowid,
  );
}
