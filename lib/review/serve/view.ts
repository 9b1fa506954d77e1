import "server-only";
import type { Db } from "@/db/client";
import { one } from "@/db/queries/prepared";
import { type EntryRow, entryWindow } from "@/db/queries/reader-entries";
import { type Actor, requireRole } from "@/lib/people/actor";
import { maySee } from "@/lib/review/blind";
import { getQueue, ReviewRefused } from "@/lib/review/queue/queue";
import type { Question } from "@/lib/review/types";
import { itemOf } from "./claim";
import { type Subject, subjectOf } from "./subject";

/** The acting person's own current answer. */
export interface OwnAnswer {
  id: number;
  verdict: string;
  types: number[];
  reason: string | null;
  tooFast: boolean;
  createdAt: number;
}

/**
 * An item as a rater gets it. Has nothing of what others, models or gold say of it, nor from which stratum it was drawn:
 * those come by `revealed` alone, after the own answer.
 */
export interface BlindItem {
  itemId: number;
  queueId: number;
  position: number;
  question: Question;
  subject: Subject;
  own: OwnAnswer | null;
  /** The own answer is in, so that what follows and what others say may be shown. */
  open: boolean;
}

/** The current own answer of the latest round. */
export function ownAnswer(db: Db, itemId: number, personId: number | null): OwnAnswer | null {
  const row = one<Omit<OwnAnswer, "types" | "tooFast"> & { types: string | null; tooFast: number }>(
    db,
    `select id, verdict, types, reason, too_fast as tooFast, created_at as createdAt from review_answer
     where item_id = ? and person_id = ? and current = 1 order by round desc limit 1`,
    itemId,
    personId,
  );
  return (
    (row && {
      ...row,
      types: row.types === null ? [] : (JSON.parse(row.types) as number[]),
      tooFast: row.tooFast === 1,
    }) ??
    null
  );
}

/**
 * An item of a queue for the acting person: one they hold, have answered, or may see anyway. Throws NotAllowed, and
 * ReviewRefused for any other.
 */
export function blindItem(db: Db, actor: Actor, queueId: number, itemId: number): BlindItem {
  requireRole(actor, "annotator");
  const queue = getQueue(db, queueId);
  const item = itemOf(db, queueId, itemId);
  const own = ownAnswer(db, itemId, actor.personId);
  const open = maySee(db, actor, itemId);
  if (!own && !open) {
    const held = one(
      db,
      "select 1 as held from review_claim where item_id = ? and person_id = ?",
      itemId,
      actor.personId,
    );
    if (!held) throw new ReviewRefused("this item is not in your hands; take the next one", "gone");
  }
  const { question } = queue;
  const { position, subjectId } = item;
  return { itemId, queueId, position, question, subject: subjectOf(db, question, subjectId), own, open };
}

/** Signs in a trajectory that a model called a step wrong. */
const TELLING = new Set(["rejected", "correction"]);

/**
 * Entries [from, from + count) of an item's trajectory as a rater may read them. Before the own answer: up to the subject's
 * `until`, without steps that were rejected before they ran (the policy had not seen them, either), and without the notes
 * that tell what a localizer or a teacher did.
 */
export function blindEntries(db: Db, { subject, open }: BlindItem, from: number, count: number): EntryRow[] {
  const last = open ? from + count : Math.min(from + count, subject.until + 1);
  if (last <= from) return [];
  const rows = entryWindow(db, subject.trajectoryId, from, last - from);
  if (open) return rows;
  return rows
    .filter((row) => row.note !== "rejected" || (row.index >= subject.from && row.index <= subject.to))
    .map((row) => (row.note !== null && TELLING.has(row.note) ? { ...row, note: null, actor: null } : row));
}

/** The first message of a user: what was asked of the policy. null when the trajectory states none before the subject. */
export function taskEntry(db: Db, item: BlindItem): EntryRow | null {
  const { trajectoryId, from } = item.subject;
  const first = entryWindow(db, trajectoryId, 0, Math.min(4, from)).find((row) => row.kind === "user");
  return first ?? null;
}
