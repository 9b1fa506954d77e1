import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/** A queue in the list, with how far it is and how far one person is in it. */
export interface QueueRow {
  id: number;
  name: string;
  question: "wrong" | "types" | "window" | "prefix";
  raters: number;
  mode: string;
  phase: string;
  createdAt: number;
  createdBy: string | null;
  items: number;
  /** Items with all their answers, settled ones included. */
  complete: number;
  settled: number;
  /** Current answers that are no skip, gold and catch items apart. */
  answers: number;
  /** Answers it takes in all, gold and catch items apart. */
  wanted: number;
  gold: number;
  people: number;
  /** Current answers of the person asked for, and open items they have not answered. */
  mine: number;
  left: number;
}

/** All queues, open ones first, then newest; `personId` null: of nobody. */
export const reviewQueues = (db: Db, personId: number | null): QueueRow[] =>
  all<QueueRow>(
    db,
    `with own as (
       select i.queue_id as queue, count(*) as n, sum(i.status = 'open') as open
       from review_answer a join review_item i on i.id = a.item_id
       where a.person_id = ? and a.current = 1
         and a.round = (select case when q.mode = 'norming' and q.phase in ('again', 'closed') then 2 else 1 end from review_queue q where q.id = i.queue_id)
       group by i.queue_id)
     select q.id, q.name, q.question, q.raters, q.mode, q.phase, q.created_at as createdAt, p.name as createdBy,
       count(i.id) as items, ifnull(sum(i.status <> 'open'), 0) as complete, ifnull(sum(i.status = 'settled'), 0) as settled,
       ifnull(sum(case when i.gold_kind is null then i.answers end), 0) as answers, ifnull(sum(i.gold_kind is null), 0) * q.raters as wanted,
       ifnull(sum(i.gold_kind is not null), 0) as gold,
       (select count(distinct a.person_id) from review_item j join review_answer a on a.item_id = j.id and a.current = 1 where j.queue_id = q.id) as people,
       ifnull(own.n, 0) as mine, ifnull(sum(i.status = 'open'), 0) - ifnull(own.open, 0) as left
     from review_queue q left join review_item i on i.queue_id = q.id left join person p on p.id = q.created_by left join own on own.queue = q.id
     group by q.id order by q.phase = 'closed', q.id desc`,
    personId,
  );
