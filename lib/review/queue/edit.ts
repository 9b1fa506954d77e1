import "server-only";
import type { z } from "zod";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import type { drawSchema, GoldAnswer } from "@/lib/review/types";
import { newQueueSchema, planItems, type QueuePlan, writeItems } from "./create";
import { knowable } from "./gold";
import { auditQueue, getQueue, newestGuideline, type Queue, ReviewRefused, recordEvent } from "./queue";
import type { QueueSource } from "./source";

/** Does something to a queue as an admin, in one transaction with its event and audit row. */
function edit<T extends object>(db: Db, actor: Actor, queueId: number, verb: string, run: (queue: Queue) => T): T {
  requireRole(actor, "admin");
  return db.$client
    .transaction(() => {
      const details = run(getQueue(db, queueId));
      recordEvent(db, { queueId, personId: actor.personId, kind: verb, details });
      auditQueue(db, actor, verb, queueId, details);
      return details;
    })
    .immediate();
}

/** Closes a queue: nothing more is given out; what is in hand is still taken. Norming queues have phases of their own. */
export const closeQueue = (db: Db, actor: Actor, queueId: number) =>
  edit(db, actor, queueId, "close", (queue) => phase(db, queue, "open", "closed"));

/** Opens a closed queue again. */
export const reopenQueue = (db: Db, actor: Actor, queueId: number) =>
  edit(db, actor, queueId, "reopen", (queue) => phase(db, queue, "closed", "open"));

function phase(db: Db, queue: Queue, from: string, to: string): { phase: string } {
  if (queue.mode === "norming")
    throw new ReviewRefused("a norming queue goes by its phases: reveal, vote again, close");
  const { changes } = statement(db, "update review_queue set phase = ? where id = ? and phase = ?").run(
    to,
    queue.id,
    from,
  );
  if (changes === 0) throw new ReviewRefused(`this queue is ${queue.phase} already`);
  return { phase: to };
}

/** A new version of what raters are told: shown from now on; answers keep the version they were given under. */
export const writeGuideline = (db: Db, actor: Actor, queueId: number, text: string) =>
  edit(db, actor, queueId, "guideline", () => {
    const newest = newestGuideline(db, queueId);
    if (newest?.text === text.trim()) throw new ReviewRefused("this is what the guideline says already");
    const version = (newest?.version ?? 0) + 1;
    statement(db, "insert into review_guideline (queue_id, version, text, person_id) values (?, ?, ?, ?)").run(
      ...[queueId, version, text.trim(), actor.personId],
    );
    return { version };
  });

/** Draws more items into a queue, behind those it has and without them. */
export const extendQueue = (
  db: Db,
  actor: Actor,
  queueId: number,
  source: QueueSource,
  draw: z.input<typeof drawSchema>,
): { items: number; random: number } =>
  edit(db, actor, queueId, "extend", (queue) => {
    const has = new Set(
      all<{ id: number }>(db, "select subject_id as id from review_item where queue_id = ?", queueId).map((r) => r.id),
    );
    const { name, question, taxonomyId, evaluationId, raters } = queue;
    const input = newQueueSchema.parse({ name, question, taxonomyId, evaluationId, raters, draw });
    const { rows, random } = planItems(db, source, input, has);
    if (rows.length === 0) throw new ReviewRefused("the filter and the strategy leave nothing that it has not");
    const last = one<{ at: number | null }>(
      db,
      "select max(position) as at from review_item where queue_id = ?",
      queueId,
    );
    writeItems(db, queueId, (last?.at ?? 0) + 1, rows);
    return { items: rows.length, random, draw: input.draw };
  });

/** Says the known answer of an item, so that every rater gets it and can be held against it. */
export const markGold = (db: Db, actor: Actor, queueId: number, itemId: number, answer: GoldAnswer) =>
  edit(db, actor, queueId, "gold", (queue) => {
    if (!knowable(queue.question, answer))
      throw new ReviewRefused(`"${answer.verdict}" is no known answer to this question`, "wrong-answer");
    const { changes } = statement(
      db,
      `update review_item set gold = ?, gold_kind = 'gold', status = case status when 'settled' then 'settled' else 'open' end
       where id = ? and queue_id = ?`,
    ).run(JSON.stringify(answer), itemId, queueId);
    if (changes === 0) throw new ReviewRefused(`queue ${queueId} has no item ${itemId}`, "not-found");
    return { itemId, answer };
  });

export type { QueuePlan };
