import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { all, one } from "./prepared";

/** A localizer's word on a try of the teacher; `failed` and `unparsed` are no verdicts. */
const judgementSchema = z.object({
  verdict: z.enum(["good", "bad", "failed", "unparsed"]),
  commandSeen: z.string().nullable(),
  reason: z.string().nullable(),
  findings: z.array(z.object({ misbehavior: z.string(), reason: z.string() })).default([]),
});

/** `correction.details` of a teacher's try: how it was judged, or why there is none. */
export const correctionDetails = z.object({
  /** null: nobody judged it. */
  judgement: judgementSchema.nullable().default(null),
  /** The teacher gave no step, and why. */
  failure: z
    .object({ kind: z.enum(["failed", "unparsed"]), message: z.string() })
    .nullable()
    .default(null),
});
export type CorrectionDetails = z.infer<typeof correctionDetails>;

/** What a teacher or a person would have done in place of a step. */
export interface CorrectionView extends CorrectionDetails {
  id: number;
  source: string;
  sourceName: string | null;
  thinking: string | null;
  /** "" when the try held no command. */
  command: string;
  attempt: number;
  accepted: number;
  reply: string | null;
}

const NO_DETAILS: CorrectionDetails = { judgement: null, failure: null };

/** All tries for a step, in the order they were made; those of a person after the teacher's. */
export function correctionsOf(db: Db, stepId: number): CorrectionView[] {
  return all<Omit<CorrectionView, keyof CorrectionDetails> & { details: string | null }>(
    db,
    `select id, source, source_name as sourceName, thinking, command, attempt, accepted, reply, details from correction
     where step_id = ? order by source = 'person', attempt, id`,
    stepId,
  ).map(({ details, ...row }) => ({
    ...row,
    ...(details === null ? NO_DETAILS : correctionDetails.parse(JSON.parse(details))),
  }));
}

/** A policy's step that was stopped before it ran, and what came in its place. Entries are indices in the trajectory. */
export interface RejectedEntry {
  rejected: number;
  /** Entry of the correction that ran; null when the rollout was discarded there. */
  correction: number | null;
}

/** The rejected steps of a trajectory in order, each with the correction that ran in its place. */
export function rejectedEntries(db: Db, trajectoryId: number): RejectedEntry[] {
  return all<RejectedEntry>(
    db,
    `select s.id % ${SPAN} as rejected, (select c.id % ${SPAN} from step c where c.id = s.id + 1 and c.note = 'correction') as correction
     from step s where s.id between ? and ? and s.note = 'rejected' order by s.id`,
    trajectoryId * SPAN,
    trajectoryId * SPAN + SPAN - 1,
  );
}

/** Where an entry belongs: the pair of which it is the rejected step or the correction; null for any other entry. */
export function pairOf(db: Db, trajectoryId: number, index: number): RejectedEntry | null {
  const row = one<{ note: string | null }>(db, "select note from step where id = ?", trajectoryId * SPAN + index);
  const rejected = row?.note === "rejected" ? index : row?.note === "correction" ? index - 1 : null;
  if (rejected === null) return null;
  return rejectedEntries(db, trajectoryId).find((pair) => pair.rejected === rejected) ?? null;
}

/** Tries for every rejected step of a trajectory, by entry index. */
export const correctionsOfTrajectory = (db: Db, trajectoryId: number): Map<number, CorrectionView[]> =>
  new Map(
    all<{ id: number }>(
      db,
      "select distinct step_id as id from correction where step_id between ? and ? order by step_id",
      trajectoryId * SPAN,
      trajectoryId * SPAN + SPAN - 1,
    ).map(({ id }) => [id % SPAN, correctionsOf(db, id)]),
  );
