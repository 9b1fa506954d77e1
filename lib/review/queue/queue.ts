import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import type { Actor } from "@/lib/people/actor";
import { type Question, type QueueSettings, queueSettings } from "@/lib/review/types";

/** Something of review cannot be done. The message says what it is and what to do. */
export class ReviewRefused extends Error {
  constructor(
    message: string,
    /** not-found | closed (queue) | gone (the item is not this person's) | wrong-answer | conflict */
    readonly kind: "not-found" | "closed" | "gone" | "wrong-answer" | "conflict" = "conflict",
  ) {
    super(message);
    this.name = "ReviewRefused";
  }
}

/** A queue with its settings parsed. */
export interface Queue {
  id: number;
  name: string;
  question: Question;
  taxonomyId: number | null;
  evaluationId: number | null;
  raters: number;
  settings: QueueSettings;
  mode: "queue" | "norming";
  phase: string;
  createdBy: number | null;
  createdAt: number;
}

const COLUMNS = `id, name, question, taxonomy_id as taxonomyId, evaluation_id as evaluationId, raters, settings, mode, phase,
  created_by as createdBy, created_at as createdAt`;

/** A queue by its id; undefined when there is none. */
export function findQueue(db: Db, id: number): Queue | undefined {
  const row = one<Omit<Queue, "settings"> & { settings: string }>(
    db,
    `select ${COLUMNS} from review_queue where id = ?`,
    id,
  );
  return row && { ...row, settings: queueSettings.parse(JSON.parse(row.settings)) };
}

/** A queue by its id. Throws ReviewRefused when there is none. */
export function getQueue(db: Db, id: number): Queue {
  const queue = findQueue(db, id);
  if (!queue) throw new ReviewRefused(`there is no review queue ${id}`, "not-found");
  return queue;
}

/** The round that answers are given in now; null when none are taken (closed, or a norming one that is being discussed). */
export function roundOf(queue: Pick<Queue, "mode" | "phase">): 1 | 2 | null {
  if (queue.mode === "queue") return queue.phase === "open" ? 1 : null;
  return queue.phase === "blind" ? 1 : queue.phase === "again" ? 2 : null;
}

/** The newest guideline of a queue. */
export interface Guideline {
  id: number;
  version: number;
  text: string;
  createdAt: number;
}
export const newestGuideline = (db: Db, queueId: number): Guideline | undefined =>
  one<Guideline>(
    db,
    "select id, version, text, created_at as createdAt from review_guideline where queue_id = ? order by version desc limit 1",
    queueId,
  );

/** Adds what happened to the record of a queue. Call it in the transaction of what happened. */
export function recordEvent(
  db: Db,
  event: { queueId: number; itemId?: number | null; personId: number | null; kind: string; details?: object },
): number {
  return Number(
    statement(db, "insert into review_event (queue_id, item_id, person_id, kind, details) values (?, ?, ?, ?, ?)").run(
      event.queueId,
      event.itemId ?? null,
      event.personId,
      event.kind,
      event.details === undefined ? null : JSON.stringify(event.details),
    ).lastInsertRowid,
  );
}

/** Adds an audit row of a queue. Call it in the transaction of what happened. */
export function auditQueue(db: Db, actor: Actor, verb: string, queueId: number, details: object): void {
  statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)").run(
    actor.name,
    verb,
    `review:${queueId}`,
    JSON.stringify(details),
  );
}

/** Name of a queue, as given. */
export const queueName = z.string().trim().min(1, "give it a name").max(120);
