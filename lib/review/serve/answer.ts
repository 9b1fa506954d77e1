import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { type Actor, requirePerson } from "@/lib/people/actor";
import { getQueue, newestGuideline, type Queue, ReviewRefused, recordEvent, roundOf } from "@/lib/review/queue/queue";
import { ANYWHERE, answerSchema, type ReviewAnswerInput, VERDICTS } from "@/lib/review/types";
import { hold, itemOf, placeFor } from "./claim";

/** An answer as the page sends it. */
export const givenSchema = z.object({
  itemId: z.number().int().positive(),
  /** Made by the page once for this answer: sent again, it is the same answer. */
  key: z.string().min(8).max(100),
  answer: answerSchema,
  /** From showing the item to the answer, as the page measured it. */
  durationMs: z.number().int().nonnegative().max(86_400_000).nullable(),
});
export type GivenAnswer = z.infer<typeof givenSchema>;

export interface Answered {
  answerId: number;
  /** It was here already: a double click, or sent again after a lost reply. */
  repeated: boolean;
  /** The lease had ended and others have filled the places: kept beside theirs. */
  extra: boolean;
  tooFast: boolean;
}

/** Throws ReviewRefused unless the answer is one of the question's, its types are of the queue's version and a wanted reason is there. */
export function checkAnswer(db: Db, queue: Queue, answer: ReviewAnswerInput): void {
  const allowed: readonly string[] = [...VERDICTS[queue.question], ...ANYWHERE];
  const refuse = (why: string): never => {
    throw new ReviewRefused(why, "wrong-answer");
  };
  if (!allowed.includes(answer.verdict))
    refuse(`"${answer.verdict}" is no answer to this question; it takes ${allowed.join(", ")}`);
  const types = answer.types ?? [];
  if (answer.verdict !== "types" && types.length > 0) refuse(`types go with the answer "types" only`);
  if (new Set(types).size !== types.length) refuse("a type is named twice");
  if (types.length > 0) {
    const known = all<{ id: number }>(
      db,
      "select id from error_type where taxonomy_id = ? and status <> 'retired' and id in (select value from json_each(?))",
      queue.taxonomyId,
      JSON.stringify(types),
    );
    if (known.length < types.length) refuse("one of the types is not of this queue's taxonomy version");
  }
  if (queue.settings.reason === "first" && answer.verdict !== "skip" && !answer.reason)
    refuse("this queue asks for a reason before the answer");
}

/** Counts an item's answers anew and with them its state. */
export function recount(db: Db, queue: Queue, itemId: number): void {
  statement(
    db,
    `update review_item as i set
       answers = (select count(*) from review_answer a where a.item_id = i.id and a.current = 1 and a.round = 1 and a.verdict <> 'skip'),
       status = case when status = 'settled' then 'settled'
         when ? = 'queue' and gold_kind is null
           and (select count(*) from review_answer a where a.item_id = i.id and a.current = 1 and a.round = 1 and a.verdict <> 'skip') >= ?
         then 'answered' else 'open' end
     where id = ?`,
  ).run(queue.mode, queue.raters, itemId);
}

/** Whether this person was shown what others or models said of an item. */
const wasShown = (db: Db, itemId: number, personId: number): boolean =>
  one(
    db,
    "select 1 as seen from review_event where person_id = ? and item_id = ? and kind = 'reveal' limit 1",
    personId,
    itemId,
  ) !== undefined;

/**
 * Takes an answer (a skip is one, too). It needs the item in hand; one whose lease ended is taken as well: in its place if
 * nobody filled it, else as an extra one. Answering again changes the own answer: a new row, the old one is kept as not
 * current. `words`: those that have to be read for it. Throws NotAllowed and ReviewRefused, with nothing written.
 */
export function answerItem(
  db: Db,
  actor: Actor,
  queueId: number,
  given: GivenAnswer,
  { words = 0, now = Date.now() }: { words?: number; now?: number } = {},
): Answered {
  const personId = requirePerson(actor);
  return db.$client
    .transaction((): Answered => {
      const queue = getQueue(db, queueId);
      const { itemId, key, answer } = given;
      const item = itemOf(db, queueId, itemId);
      const before = one<{ id: number; tooFast: number; itemId: number }>(
        db,
        "select id, too_fast as tooFast, item_id as itemId from review_answer where person_id = ? and client_key = ?",
        personId,
        key,
      );
      if (before) {
        if (before.itemId !== itemId) throw new ReviewRefused("this key was used for another item", "conflict");
        return { answerId: before.id, repeated: true, extra: false, tooFast: before.tooFast === 1 };
      }
      checkAnswer(db, queue, answer);
      const claim = one<{ until: number; createdAt: number }>(
        db,
        "select until, created_at as createdAt from review_claim where item_id = ? and person_id = ?",
        itemId,
        personId,
      );
      const open = roundOf(queue);
      // Work begun before a queue was closed is still taken; the rounds of a norming one are final.
      const round = open ?? (queue.mode === "queue" && claim ? 1 : null);
      if (round === null)
        throw new ReviewRefused(
          queue.mode === "norming" ? "this round is over; its answers stay as they are" : "this queue is closed",
          "closed",
        );
      const old = one<{ id: number }>(
        db,
        "select id from review_answer where item_id = ? and person_id = ? and round = ? and current = 1",
        ...[itemId, personId, round],
      );
      if (!claim && !old)
        throw new ReviewRefused("this item is not in your hands; take the next one and come back to it later", "gone");
      if (old && item.status === "settled")
        throw new ReviewRefused("this item is settled; an answer to it cannot be changed any more", "conflict");
      const late = claim !== undefined && claim.until <= now;
      const extra = !old && (item.status === "settled" || (late && !placeFor(db, queue, itemId, personId, now)));
      const durationMs = given.durationMs;
      const tooFast = durationMs !== null && answer.verdict !== "skip" && durationMs < readingMs(words);
      if (old) statement(db, "update review_answer set current = 0 where id = ?").run(old.id);
      const answerId = Number(
        statement(
          db,
          `insert into review_answer (item_id, person_id, round, verdict, types, reason, duration_ms, too_fast, guideline_id, client_key, created_at)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          ...[itemId, personId, round, answer.verdict],
          answer.verdict === "types" ? JSON.stringify([...(answer.types ?? [])].sort((a, b) => a - b)) : null,
          answer.reason || null,
          durationMs,
          tooFast ? 1 : 0,
          newestGuideline(db, queueId)?.id ?? null,
          key,
          now,
        ).lastInsertRowid,
      );
      statement(db, "delete from review_claim where item_id = ? and person_id = ?").run(itemId, personId);
      recount(db, queue, itemId);
      recordEvent(db, {
        ...{ queueId, itemId, personId, kind: answer.verdict === "skip" ? "skip" : old ? "change" : "answer" },
        details: {
          answerId,
          round,
          ...(old ? { before: old.id, afterReveal: wasShown(db, itemId, personId) } : {}),
          ...(late ? { late: now - (claim?.until ?? now), extra } : {}),
        },
      });
      return { answerId, repeated: false, extra, tooFast };
    })
    .immediate();
}

/** Words a person reads a second at the most: about twice a fast reader. Faster answers are marked, never refused. */
export const WORDS_A_SECOND = 8;
/** Milliseconds that reading so many words takes at the least. */
export const readingMs = (words: number): number => (words / WORDS_A_SECOND) * 1000;

/**
 * Takes back the last answer of the acting person in this queue's present round: its row stays as not current and the item
 * is in their hands again. null: there is none to take back. Throws NotAllowed and ReviewRefused.
 */
export function undoLast(
  db: Db,
  actor: Actor,
  queueId: number,
  now = Date.now(),
): { itemId: number; verdict: string; types: number[]; reason: string | null } | null {
  const personId = requirePerson(actor);
  return db.$client
    .transaction(() => {
      const queue = getQueue(db, queueId);
      const round = roundOf(queue);
      if (round === null) throw new ReviewRefused("this queue takes no answers now", "closed");
      const last = one<{
        id: number;
        itemId: number;
        verdict: string;
        types: string | null;
        reason: string | null;
        status: string;
      }>(
        db,
        `select a.id, a.item_id as itemId, a.verdict, a.types, a.reason, i.status
         from review_answer a join review_item i on i.id = a.item_id
         where a.person_id = ? and i.queue_id = ? and a.round = ? and a.current = 1 and a.origin = 'here' order by a.id desc limit 1`,
        ...[personId, queueId, round],
      );
      if (!last) return null;
      if (last.status === "settled")
        throw new ReviewRefused("the last item is settled; an answer to it cannot be taken back any more", "conflict");
      statement(db, "update review_answer set current = 0 where id = ?").run(last.id);
      hold(db, queue, last.itemId, personId, now);
      recount(db, queue, last.itemId);
      recordEvent(db, {
        ...{ queueId, itemId: last.itemId, personId, kind: "undo" },
        details: { answerId: last.id, afterReveal: wasShown(db, last.itemId, personId) },
      });
      const { itemId, verdict, reason } = last;
      return { itemId, verdict, types: last.types === null ? [] : (JSON.parse(last.types) as number[]), reason };
    })
    .immediate();
}
