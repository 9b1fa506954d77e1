import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import type { Actor } from "@/lib/people/actor";

/** How an item stands for one person. */
interface Standing {
  mode: string;
  phase: string;
  status: string;
  /** 1: this person has taken or answered something of the queue. */
  rater: number;
  /** 1: this person's current answer to the item is there, and is no skip. */
  answered: number;
}

/**
 * Whether an actor may see what others, models or gold say of an item. The one rule of blindness; everything that shows
 * any of it asks here first. True
 * - for everybody once the item is settled;
 * - for a rater after their own answer (a skip is none), in a norming queue only after the reveal;
 * - for an admin who is no rater of its queue.
 * A viewer, and a rater before their own answer, may not. False for an item that is not there.
 */
export function maySee(db: Db, actor: Actor, itemId: number): boolean {
  const row = one<Standing>(
    db,
    `select q.mode, q.phase, i.status,
       exists (select 1 from review_item j where j.queue_id = i.queue_id and (
           exists (select 1 from review_claim c where c.item_id = j.id and c.person_id = ?)
           or exists (select 1 from review_answer a where a.item_id = j.id and a.person_id = ?))) as rater,
       exists (select 1 from review_answer a where a.item_id = i.id and a.person_id = ? and a.current = 1 and a.verdict <> 'skip') as answered
     from review_item i join review_queue q on q.id = i.queue_id where i.id = ?`,
    ...[actor.personId, actor.personId, actor.personId],
    itemId,
  );
  if (!row) return false;
  if (row.status === "settled") return true;
  const rater = row.rater === 1;
  if (row.mode === "norming" && row.phase === "blind") return actor.role === "admin" && !rater;
  if (row.answered === 1) return true;
  return actor.role === "admin" && !rater;
}

/** Ids of the items of a queue of which `maySee` is true, in one go. */
export function visibleItems(db: Db, actor: Actor, queueId: number): Set<number> {
  const rater =
    one(
      db,
      `select 1 as is_one from review_item j where j.queue_id = ? and (
         exists (select 1 from review_claim c where c.item_id = j.id and c.person_id = ?)
         or exists (select 1 from review_answer a where a.item_id = j.id and a.person_id = ?)) limit 1`,
      ...[queueId, actor.personId, actor.personId],
    ) !== undefined;
  const free = actor.role === "admin" && !rater ? 1 : 0;
  const rows = all<{ id: number }>(
    db,
    `select i.id from review_item i join review_queue q on q.id = i.queue_id
     where i.queue_id = ? and (i.status = 'settled' or ? = 1 or (not (q.mode = 'norming' and q.phase = 'blind') and exists (
       select 1 from review_answer a where a.item_id = i.id and a.person_id = ? and a.current = 1 and a.verdict <> 'skip')))`,
    ...[queueId, free, actor.personId],
  );
  return new Set(rows.map(({ id }) => id));
}
