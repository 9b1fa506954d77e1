import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { type Actor, requirePerson, requireRole } from "@/lib/people/actor";
import { auditQueue, getQueue, type Queue, ReviewRefused, recordEvent } from "@/lib/review/queue/queue";

/**
 * A norming queue goes one way: everybody votes blind, the votes are revealed and discussed, everybody votes again, it is
 * closed. The difference in agreement says how much of the disagreement was the guideline's.
 */
export const PHASES = ["blind", "revealed", "again", "closed"] as const;
export type Phase = (typeof PHASES)[number];

export const PHASE_NAMES: Record<Phase, string> = {
  blind: "Blind vote",
  revealed: "Revealed, discussing",
  again: "Second vote",
  closed: "Closed",
};

/** The phase after this one; null after the last. */
export const nextPhase = (phase: string): Phase | null =>
  PHASES[(PHASES as readonly string[]).indexOf(phase) + 1] ?? null;

const normingQueue = (db: Db, queueId: number): Queue => {
  const queue = getQueue(db, queueId);
  if (queue.mode !== "norming") throw new ReviewRefused(`${queue.name} is no norming queue: it has no phases`);
  return queue;
};

/**
 * Goes on to the next phase. `from`: the phase it was seen in, so that two people do not go on twice. Votes in hand are let
 * go: they would be of the phase before. Throws NotAllowed and ReviewRefused.
 */
export function advance(db: Db, actor: Actor, queueId: number, from: string): Phase {
  requireRole(actor, "admin");
  return db.$client
    .transaction(() => {
      const queue = normingQueue(db, queueId);
      if (queue.phase !== from)
        throw new ReviewRefused(`It is in the phase "${queue.phase}" by now; reload the page to see it.`);
      const to = nextPhase(queue.phase);
      if (to === null) throw new ReviewRefused("It is closed: there is nothing after that.", "closed");
      if (to === "revealed" && !one(db, votes, queueId, 1))
        throw new ReviewRefused("Nobody has voted yet: there is nothing to reveal.");
      statement(db, "update review_queue set phase = ? where id = ?").run(to, queueId);
      statement(db, "delete from review_claim where item_id in (select id from review_item where queue_id = ?)").run(
        queueId,
      );
      recordEvent(db, { queueId, personId: actor.personId, kind: "phase", details: { from, to } });
      auditQueue(db, actor, `phase ${to}`, queueId, { from, to });
      return to;
    })
    .immediate();
}

const votes = `select 1 as voted from review_item i join review_answer a on a.item_id = i.id and a.current = 1 and a.verdict <> 'skip'
  where i.queue_id = ? and a.round = ? limit 1`;

/** What somebody noted of an item while it was discussed. */
export interface Note {
  id: number;
  itemId: number;
  person: string | null;
  text: string;
  createdAt: number;
}

/** Adds a note to an item, between the reveal and the closing. Throws NotAllowed and ReviewRefused. */
export function addNote(db: Db, actor: Actor, itemId: number, text: string): void {
  requirePerson(actor, "annotator");
  db.$client
    .transaction(() => {
      const item = one<{ queueId: number }>(db, "select queue_id as queueId from review_item where id = ?", itemId);
      if (!item) throw new ReviewRefused(`there is no item ${itemId}`, "not-found");
      const queue = normingQueue(db, item.queueId);
      if (queue.phase !== "revealed" && queue.phase !== "again")
        throw new ReviewRefused(
          queue.phase === "blind" ? "Notes are for after the reveal: before it they would tell." : "It is closed.",
          "closed",
        );
      recordEvent(db, { queueId: queue.id, itemId, personId: actor.personId, kind: "note", details: { text } });
    })
    .immediate();
}

/** Notes of a queue, oldest first. */
export const notesOf = (db: Db, queueId: number): Note[] =>
  all<Omit<Note, "text"> & { details: string }>(
    db,
    `select e.id, e.item_id as itemId, p.name as person, e.details, e.created_at as createdAt
     from review_event e left join person p on p.id = e.person_id where e.queue_id = ? and e.kind = 'note' order by e.id`,
    queueId,
  ).map(({ details, ...note }) => ({ ...note, text: (JSON.parse(details) as { text: string }).text }));
