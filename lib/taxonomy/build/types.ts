import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { storedBatches } from "@/lib/taxonomy/batches";
import { loadExamples, shortest } from "@/lib/taxonomy/examples";
import type { TaxonomySettings } from "@/lib/taxonomy/settings";
import { slugFor } from "@/lib/taxonomy/slug";
import { recurring, replay } from "./replay";

/** No type came out of proposing and refining: there is nothing to label with. */
export class NoTypes extends Error {}

/** Examples stored with a type: enough to choose from. */
const EXAMPLES = 12;

/**
 * Writes the types that recurred as rows of the version, most seen first; nothing of it is counted before the build ends.
 * Types seen too seldom are written as tail without labels, so that they can be looked at. Inside a transaction.
 * Throws NoTypes with what was in the way.
 */
export function writeTypes(db: Db, taxonomyId: number, settings: TaxonomySettings): { kept: number; rare: number } {
  const batches = storedBatches(db, taxonomyId);
  const { types } = replay(batches);
  const answered = batches.filter((b) => b.answer !== null).length;
  if (answered === 0)
    throw new NoTypes(`none of the ${batches.length} batches was answered; the batches of this version say why`);
  const kept = recurring(types, answered, settings.recurrence);
  if (kept.length === 0)
    throw new NoTypes(
      types.length === 0
        ? "the annotator found no type in any batch; look at its replies, or show it more error steps at once"
        : `${types.length} types were found and none in ${settings.recurrence} batches; lower the recurrence or show more batches`,
    );
  // Again after a retry: the version has no labels yet.
  statement(db, "delete from error_type where taxonomy_id = ?").run(taxonomyId);
  const insert = statement(
    db,
    `insert into error_type (taxonomy_id, slug, name, definition, excludes, named, rank, detectors, examples, status)
     values (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`,
  );
  const taken = new Set<string>();
  const order = types.toSorted((a, b) => Number(kept.includes(b)) - Number(kept.includes(a)) || b.steps - a.steps);
  order.forEach((t, i) => {
    const slug = slugFor(t.name, taken);
    taken.add(slug);
    const examples = shortest(loadExamples(db, t.exampleIds), EXAMPLES).map((e) => e.id);
    const recurs = kept.includes(t);
    insert.run(
      taxonomyId,
      slug,
      t.name,
      t.definition,
      JSON.stringify(t.excludes),
      i + 1,
      JSON.stringify(recurs ? (t.detectors ?? []) : []),
      JSON.stringify(examples),
      recurs ? "kept" : "tail",
    );
  });
  return { kept: kept.length, rare: types.length - kept.length };
}
