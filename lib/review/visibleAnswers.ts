import "server-only";
import type { Db } from "@/db/client";
import { type AnswerRow, currentAnswers, type ReviewQueueRow } from "@/db/queries/reviewAnswers";
import type { Actor } from "@/lib/people/actor";
import { visibleItems } from "./blind";

/**
 * Current answers of a queue that the actor may see (lib/review/blind). While a norming queue is voted on again, answers of
 * that round are hidden from its raters until their own.
 */
export function visibleAnswers(
  db: Db,
  actor: Actor,
  queue: Pick<ReviewQueueRow, "id" | "mode" | "phase">,
): { answers: AnswerRow[]; visible: Set<number> } {
  const visible = visibleItems(db, actor, queue.id);
  const all = currentAnswers(db, queue.id);
  const voting = queue.mode === "norming" && queue.phase === "again";
  const rater = all.some((a) => a.personId === actor.personId);
  const own = new Set(all.filter((a) => a.personId === actor.personId && a.round === 2).map((a) => a.itemId));
  const hidden = (a: AnswerRow) => voting && rater && a.round === 2 && !own.has(a.itemId);
  return { answers: all.filter((a) => visible.has(a.itemId) && !hidden(a)), visible };
}
