import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { RoleFailure } from "@/lib/model/role/types";
import type { StoredBatch } from "./build/replay";
import type { Annotated, Labelled, Proposed, Refined, Unassigned } from "./types";

export type Phase = "propose" | "refine" | "label";

/** What came of asking about a batch: an answer, or why there is none. */
export type Asked<T> = { ok: true; answered: Annotated<T> } | { ok: false; failure: RoleFailure };

/** Asks, and turns a role's failure into a value. Everything else (budget, abort, defects) passes through. */
export async function asked<T>(answer: Promise<Annotated<T>>): Promise<Asked<T>> {
  try {
    return { ok: true, answered: await answer };
  } catch (error) {
    if (error instanceof RoleFailure) return { ok: false, failure: error };
    throw error;
  }
}

const reasons = (list: readonly { reason: Unassigned }[], reason: Unassigned) =>
  list.filter((u) => u.reason === reason).length;

function countsOf(output: Proposed | Refined | Labelled) {
  if ("types" in output) {
    const placed = new Set(output.types.flatMap((t) => t.exampleIds));
    return { assigned: placed.size, unassigned: output.unassigned, fresh: 0 };
  }
  if ("newTypes" in output) {
    const placed = new Set(output.assignments.map((a) => a.id));
    const fresh = new Set(output.newTypes.flatMap((t) => t.exampleIds).filter((id) => !placed.has(id)));
    return { assigned: placed.size, unassigned: output.unassigned, fresh: fresh.size };
  }
  return { assigned: output.assignments.length, unassigned: [], fresh: 0 };
}

/**
 * Stores a batch with its answer, in place of an earlier try. `new_pattern` counts unassigned steps with that reason and,
 * while refining, steps that only stand in types the batch itself proposed. Returns its id.
 */
export function storeBatch(
  db: Db,
  batch: { taxonomyId: number; phase: Phase; number: number; stepIds: readonly number[] },
  result: Asked<Proposed | Refined | Labelled>,
): number {
  const counts = result.ok ? countsOf(result.answered.output) : { assigned: 0, unassigned: [], fresh: 0 };
  const row = statement(
    db,
    `insert into taxonomy_batch (taxonomy_id, phase, number, status, step_ids, answer, assigned, one_off, new_pattern, unclear, repairs, usage_id)
     values (@taxonomyId, @phase, @number, @status, @stepIds, @answer, @assigned, @oneOff, @newPattern, @unclear, @repairs, @usageId)
     on conflict do update set status = excluded.status, step_ids = excluded.step_ids, answer = excluded.answer, assigned = excluded.assigned,
       one_off = excluded.one_off, new_pattern = excluded.new_pattern, unclear = excluded.unclear, repairs = excluded.repairs,
       usage_id = excluded.usage_id returning id`,
  ).get({
    taxonomyId: batch.taxonomyId,
    phase: batch.phase,
    number: batch.number,
    status: result.ok ? "done" : result.failure.kind,
    stepIds: JSON.stringify(batch.stepIds),
    answer: result.ok ? JSON.stringify(result.answered.output) : null,
    assigned: counts.assigned,
    oneOff: reasons(counts.unassigned, "one_off"),
    newPattern: reasons(counts.unassigned, "new_pattern") + counts.fresh,
    unclear: reasons(counts.unassigned, "unclear"),
    repairs: JSON.stringify(result.ok ? result.answered.repairs : [result.failure.message]),
    usageId: result.ok ? result.answered.callId : result.failure.callId,
  }) as { id: number };
  return row.id;
}

/** Batches of proposing and refining of a version, to be replayed. */
export const storedBatches = (db: Db, taxonomyId: number): StoredBatch[] =>
  all<{ phase: "propose" | "refine"; number: number; stepIds: string; answer: string | null }>(
    db,
    `select phase, number, step_ids as stepIds, answer from taxonomy_batch
     where taxonomy_id = ? and phase in ('propose', 'refine') order by phase, number`,
    taxonomyId,
  ).map(
    (row) =>
      ({
        phase: row.phase,
        number: row.number,
        stepIds: JSON.parse(row.stepIds),
        answer: row.answer === null ? null : JSON.parse(row.answer),
      }) as StoredBatch,
  );

/** The number after the last batch of a phase. */
export const nextBatch = (db: Db, taxonomyId: number, phase: Phase): number =>
  (one<{ n: number | null }>(
    db,
    "select max(number) as n from taxonomy_batch where taxonomy_id = ? and phase = ?",
    taxonomyId,
    phase,
  )?.n ?? 0) + 1;
