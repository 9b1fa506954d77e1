import type { Proposed, Refined } from "@/lib/taxonomy/types";
import type { Sighting } from "./discovery";
import { absorb, type Candidate } from "./merge";

/** A batch as it was stored. `answer` null: it failed or could not be read. */
export type StoredBatch = { number: number; stepIds: number[] } & (
  | { phase: "propose"; answer: Proposed | null }
  | { phase: "refine"; answer: Refined | null }
);

/** A candidate type with its error steps by batch. */
export interface SeenType extends Candidate {
  /** Error steps seen in it, over all batches. */
  steps: number;
}

const count = (list: readonly { reason: string }[], reason: string): number =>
  list.filter((u) => u.reason === reason).length;

/**
 * What proposing and refining came to so far, worked out from the stored batches alone: candidate types and what each
 * batch saw. The same batches give the same, so a killed build goes on where it was.
 */
export function replay(batches: readonly StoredBatch[]): { types: SeenType[]; sightings: Sighting[] } {
  let candidates: Candidate[] = [];
  const steps = new Map<number, number>();
  const sightings: Sighting[] = [];
  const order = batches.toSorted(
    (a, b) => Number(a.phase === "refine") - Number(b.phase === "refine") || a.number - b.number,
  );
  let turn = 0;
  for (const batch of order) {
    if (batch.answer === null) continue;
    turn++;
    const before = candidates.length;
    const seen = new Map<number, Set<number>>();
    const see = (type: number, ids: readonly number[]) => {
      const set = seen.get(type) ?? new Set();
      for (const id of ids) set.add(id);
      seen.set(type, set);
    };
    if (batch.phase === "refine") {
      const at = new Map(candidates.map((c, i) => [c.name, i]));
      for (const a of batch.answer.assignments)
        for (const name of a.types) {
          const type = at.get(name);
          if (type !== undefined) see(type, [a.id]);
        }
    }
    const proposals = batch.phase === "propose" ? batch.answer.types : batch.answer.newTypes;
    // While refining, wordings stand: the annotator was shown them.
    const taken = absorb(candidates, proposals, turn, { freeze: batch.phase === "refine" });
    candidates = taken.candidates;
    taken.at.forEach((type, i) => {
      see(type, proposals[i]?.exampleIds ?? []);
    });
    for (const [type, ids] of seen) {
      const candidate = candidates[type];
      if (!candidate || ids.size === 0) continue;
      candidates[type] = { ...candidate, batches: [...new Set([...candidate.batches, turn])] };
      steps.set(type, (steps.get(type) ?? 0) + ids.size);
    }
    const known = new Set([...seen].filter(([type]) => type < before).flatMap(([, ids]) => [...ids]));
    const fresh = new Set([...seen].filter(([type]) => type >= before).flatMap(([, ids]) => [...ids]));
    const newInTypes = [...fresh].filter((id) => !known.has(id)).length;
    sightings.push({
      phase: batch.phase,
      number: batch.number,
      steps: batch.stepIds.length,
      types: new Map([...seen].map(([type, ids]) => [String(type), ids.size])),
      oneOff: count(batch.answer.unassigned, "one_off"),
      newPattern: count(batch.answer.unassigned, "new_pattern") + newInTypes,
      newInTypes,
      unclear: count(batch.answer.unassigned, "unclear"),
    });
  }
  return { types: candidates.map((c, i) => ({ ...c, steps: steps.get(i) ?? 0 })), sightings };
}

/** Types seen in at least `recurrence` batches, or in every batch when fewer gave an answer. */
export function recurring(types: readonly SeenType[], answered: number, recurrence: number): SeenType[] {
  const least = Math.min(recurrence, Math.max(1, answered));
  return types.filter((t) => t.batches.length >= least);
}
