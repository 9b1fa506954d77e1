import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { type Actor, requirePerson } from "@/lib/people/actor";
import { getQueue, type Queue, ReviewRefused, recordEvent, roundOf } from "@/lib/review/queue/queue";

/** What there is to do for a person. */
export type Next =
  | { state: "item"; itemId: number; until: number }
  /** Everything is answered by this person or has all its answers. */
  | { state: "finished" }
  /** What is left is in others' hands; `from`: when the first of their leases ends. */
  | { state: "waiting"; items: number; from: number }
  | { state: "closed" };

/** SQL over an item `i`: everybody is asked, however many have answered. */
export const forEverybody = (queue: Pick<Queue, "mode">): string =>
  queue.mode === "norming" ? "1" : "i.gold_kind is not null";

/** SQL over an item `i`: answers and live claims of others do not fill its places. Takes now, person and raters. */
const hasPlace = (queue: Queue): string =>
  `(${forEverybody(queue)} or i.answers + (select count(*) from review_claim c where c.item_id = i.id and c.until > ? and c.person_id <> ?) < ?)`;

/** SQL over an item `i`: this person has not answered it in this round, not even by a skip. Takes person and round. */
const UNANSWERED =
  "not exists (select 1 from review_answer a where a.item_id = i.id and a.person_id = ? and a.round = ? and a.current = 1)";

/** Whether there is a place for this person on an item, apart from their own claim. */
export function placeFor(db: Db, queue: Queue, itemId: number, personId: number, now: number): boolean {
  const sql = `select 1 as free from review_item i where i.id = ? and ${hasPlace(queue)}`;
  return one(db, sql, itemId, now, personId, queue.raters) !== undefined;
}

/** Gives an item to a person until the lease ends, or renews what they have. Call it in a transaction that saw a place. */
export function hold(db: Db, queue: Queue, itemId: number, personId: number, now: number): number {
  const until = now + queue.settings.leaseMinutes * 60_000;
  statement(
    db,
    `insert into review_claim (item_id, person_id, until, created_at) values (?, ?, ?, ?)
     on conflict (item_id, person_id) do update set until = excluded.until`,
  ).run(itemId, personId, until, now);
  return until;
}

/**
 * Claims the next item of a queue for the acting person: one they have in hand already (after a crash, or another tab)
 * before a new one. `inHand`: items that their page holds, which are not given again. A claim is a place among the `raters`
 * of an item until its lease ends; gold and catch items and those of a norming queue are given to everybody. Throws
 * NotAllowed and ReviewRefused.
 */
export function claimNext(
  db: Db,
  actor: Actor,
  queueId: number,
  { inHand = [], now = Date.now() }: { inHand?: readonly number[]; now?: number } = {},
): Next {
  const personId = requirePerson(actor);
  return db.$client
    .transaction((): Next => {
      const queue = getQueue(db, queueId);
      const round = roundOf(queue);
      if (round === null) return { state: "closed" };
      const own = all<{ id: number }>(
        db,
        `select i.id from review_claim k join review_item i on i.id = k.item_id
         where k.person_id = ? and i.queue_id = ? and i.status <> 'settled' and ${UNANSWERED} and (k.until > ? or ${hasPlace(queue)})
         order by i.position`,
        ...[personId, queueId, personId, round, now],
        ...[now, personId, queue.raters],
      ).find(({ id }) => !inHand.includes(id));
      if (own) return { state: "item", itemId: own.id, until: hold(db, queue, own.id, personId, now) };
      const free = one<{ id: number }>(
        db,
        `select i.id from review_item i where i.queue_id = ? and i.status = 'open' and ${UNANSWERED} and ${hasPlace(queue)}
           and not exists (select 1 from review_claim k where k.item_id = i.id and k.person_id = ? and k.until > ?)
           and i.id not in (select value from json_each(?))
         order by i.position limit 1`,
        ...[queueId, personId, round, now, personId, queue.raters],
        ...[personId, now, JSON.stringify(inHand)],
      );
      if (free) {
        const until = hold(db, queue, free.id, personId, now);
        recordEvent(db, { queueId, itemId: free.id, personId, kind: "claim", details: { until } });
        return { state: "item", itemId: free.id, until };
      }
      const waiting = one<{ items: number; at: number | null }>(
        db,
        `select count(distinct i.id) as items, min(k.until) as at
         from review_item i join review_claim k on k.item_id = i.id and k.person_id <> ? and k.until > ?
         where i.queue_id = ? and i.status = 'open' and ${UNANSWERED} and i.id not in (select value from json_each(?))`,
        ...[personId, now, queueId, personId, round, JSON.stringify(inHand)],
      );
      return waiting && waiting.items > 0 && waiting.at !== null
        ? { state: "waiting", items: waiting.items, from: waiting.at }
        : { state: "finished" };
    })
    .immediate();
}

/** Renews the leases of items that a page holds; gives back those it holds no more (another has the place, or it was let go). */
export function renewClaims(
  db: Db,
  actor: Actor,
  queueId: number,
  itemIds: readonly number[],
  now = Date.now(),
): { until: number; lost: number[] } {
  const personId = requirePerson(actor);
  return db.$client
    .transaction(() => {
      const queue = getQueue(db, queueId);
      const lost: number[] = [];
      let until = now + queue.settings.leaseMinutes * 60_000;
      for (const itemId of itemIds) {
        const claim = one<{ until: number }>(
          db,
          `select k.until from review_claim k join review_item i on i.id = k.item_id
           where k.item_id = ? and k.person_id = ? and i.queue_id = ?`,
          ...[itemId, personId, queueId],
        );
        if (claim && (claim.until > now || placeFor(db, queue, itemId, personId, now)))
          until = hold(db, queue, itemId, personId, now);
        else lost.push(itemId);
      }
      return { until, lost };
    })
    .immediate();
}

/** Lets go of items without a word on them: others may have them at once. Items that are not in hand are passed over. */
export function letGo(db: Db, actor: Actor, queueId: number, itemIds: readonly number[]): void {
  const personId = requirePerson(actor);
  db.$client
    .transaction(() => {
      getQueue(db, queueId);
      for (const itemId of itemIds) {
        const { changes } = statement(
          db,
          `delete from review_claim where item_id = ? and person_id = ?
             and exists (select 1 from review_item i where i.id = item_id and i.queue_id = ?)`,
        ).run(itemId, personId, queueId);
        if (changes > 0) recordEvent(db, { queueId, itemId, personId, kind: "let-go" });
      }
    })
    .immediate();
}

/** The item of a queue, or ReviewRefused. */
export function itemOf(
  db: Db,
  queueId: number,
  itemId: number,
): { id: number; status: string; goldKind: string | null; subjectId: number; position: number; answers: number } {
  const row = one<{
    id: number;
    status: string;
    goldKind: string | null;
    subjectId: number;
    position: number;
    answers: number;
  }>(
    db,
    `select id, status, gold_kind as goldKind, subject_id as subjectId, position, answers from review_item
     where id = ? and queue_id = ?`,
    itemId,
    queueId,
  );
  if (!row) throw new ReviewRefused(`queue ${queueId} has no item ${itemId}`, "not-found");
  return row;
}
