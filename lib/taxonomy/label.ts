import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { localizerId } from "@/lib/profile/errorSteps";
import type { Asked } from "./batches";
import type { Annotator, KnownType, Labelled } from "./types";

export interface LabelBatch {
  taxonomyId: number;
  batchId: number;
  stepIds: readonly number[];
}

/** What labelling a batch came to, in error steps. */
export type LabelCounts = Record<"labelled" | "none" | "failed" | "unparsed", number>;

/**
 * Types that an annotator's answer speaks about: its labels of these are replaced. Rules know nothing of a type without
 * detectors, so they neither give nor take it.
 */
const speaksOf = (annotator: Annotator, types: readonly KnownType[]): KnownType[] =>
  annotator.kind === "rule" ? types.filter((t) => t.detectors.length > 0) : [...types];

/**
 * Stores an annotator's labels of a batch, in place of earlier labels of annotators; labels of people stay. A step without
 * an answer of its own is `unparsed`, the steps of a failed batch are `failed` or `unparsed`, and keep the labels they
 * had. Call in the transaction that ends the batch's item.
 */
export function storeLabels(
  db: Db,
  annotator: Annotator,
  types: readonly KnownType[],
  { taxonomyId, batchId, stepIds }: LabelBatch,
  result: Asked<Labelled>,
): LabelCounts {
  const localizer = localizerId(db, annotator.kind, annotator.name, annotator.version);
  const counts: LabelCounts = { labelled: 0, none: 0, failed: 0, unparsed: 0 };
  const assign = statement(
    db,
    `insert into assignment (taxonomy_id, step_id, localizer_id, status, stale, batch_id) values (?, ?, ?, ?, ?, ?)
     on conflict do update set status = excluded.status, stale = excluded.stale, batch_id = excluded.batch_id`,
  );
  if (!result.ok) {
    const { kind } = result.failure;
    const wasStale = statement(db, "select 1 from assignment where taxonomy_id = ? and step_id = ? and stale = 1");
    for (const id of stepIds) {
      counts[kind]++;
      // A relabel that failed leaves what it would have replaced, waiting as before.
      if (!wasStale.get(taxonomyId, id)) assign.run(taxonomyId, id, localizer, kind, 0, batchId);
    }
    return counts;
  }
  const { output, callId } = result.answered;
  const names = new Map(output.assignments.map((a) => [a.id, a.types]));
  const none = new Set(output.unassigned);
  const byName = new Map(types.map((t) => [t.name, t.id]));
  const spoken = JSON.stringify(speaksOf(annotator, types).map((t) => t.id));
  const unspoken = JSON.stringify(
    types.filter((t) => annotator.kind === "rule" && t.detectors.length === 0).map((t) => t.id),
  );
  const drop = statement(
    db,
    `update label set current = 0 where step_id = ? and current = 1 and source in ('rule', 'model')
       and error_type_id in (select value from json_each(?))`,
  );
  const add = statement(
    db,
    "insert into label (step_id, error_type_id, source, localizer_id, usage_id) values (?, ?, ?, ?, ?)",
  );
  const forget = statement(db, "delete from assignment where taxonomy_id = ? and step_id = ? and localizer_id <> ?");
  const keeps = statement(
    db,
    "select 1 from label where step_id = ? and current = 1 and value = 'yes' and error_type_id in (select value from json_each(?))",
  );
  for (const id of stepIds) {
    const given = names.get(id);
    if (given === undefined && !none.has(id)) {
      counts.unparsed++;
      assign.run(taxonomyId, id, localizer, "unparsed", 0, batchId);
      continue;
    }
    drop.run(id, spoken);
    for (const name of given ?? []) {
      const type = byName.get(name);
      if (type === undefined)
        throw new Error(`the annotator gave step ${id} the type "${name}", which this version has not`);
      add.run(id, type, annotator.kind, localizer, callId);
    }
    const beyond = keeps.get(id, unspoken) !== undefined;
    const status = (given?.length ?? 0) > 0 || beyond ? "labelled" : "none";
    counts[status]++;
    forget.run(taxonomyId, id, localizer);
    // What the annotator cannot see is still to be looked at.
    assign.run(taxonomyId, id, localizer, status, beyond ? 1 : 0, batchId);
  }
  return counts;
}
