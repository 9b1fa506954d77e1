import "server-only";
import type { Db } from "@/db/client";
import { MISBEHAVIORS } from "./misbehaviors";

/** Name of the taxonomy that ships with the product: the eight misbehaviors of the paper (Table 2). */
export const BUILTIN_TAXONOMY = "mirl";

/** Puts the eight misbehaviors into an index that lacks them, and refreshes their wording. Safe to call at every start. */
export function seedBuiltinTypes(db: Db): void {
  const s = db.$client;
  // Looked at first: a command that only reads does not wait for whoever writes.
  if (isSeeded(db)) return;
  s.transaction(() => {
    s.prepare(
      "insert or ignore into taxonomy (name, version, origin, note) values (?, 1, 'builtin', 'The eight misbehaviors of the MiRL paper')",
    ).run(BUILTIN_TAXONOMY);
    const taxonomyId = s
      .prepare("select id from taxonomy where name = ? and version = 1")
      .pluck()
      .get(BUILTIN_TAXONOMY);
    const put = s.prepare(
      `insert into error_type (taxonomy_id, slug, name, definition, excludes, example, looks_for, named, rank, detectors)
       values (@taxonomyId, @slug, @name, @definition, @excludes, @example, @looksFor, 1, @rank, @detectors)
       on conflict (taxonomy_id, slug) do update set name = excluded.name, definition = excluded.definition, excludes = excluded.excludes,
         example = excluded.example, looks_for = excluded.looks_for, rank = excluded.rank, detectors = excluded.detectors`,
    );
    for (const row of rows()) put.run({ taxonomyId, ...row });
  }).immediate();
}

const rows = () =>
  MISBEHAVIORS.map(({ slug, name, definition, not, example, looksFor }, i) => ({
    slug,
    name,
    definition,
    excludes: JSON.stringify(not),
    example,
    looksFor,
    rank: i + 1,
    detectors: JSON.stringify([slug]),
  }));

function isSeeded(db: Db): boolean {
  const present = db.$client
    .prepare(
      `select e.slug, e.name, e.definition, e.excludes, e.example, e.looks_for as looksFor, e.rank, e.detectors
       from error_type e join taxonomy t on t.id = e.taxonomy_id where t.name = ? and t.version = 1 and e.slug in (select value from json_each(?)) order by e.rank`,
    )
    .all(BUILTIN_TAXONOMY, JSON.stringify(MISBEHAVIORS.map((m) => m.slug)));
  return JSON.stringify(present) === JSON.stringify(rows());
}
