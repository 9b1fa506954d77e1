import "server-only";
import type { Db } from "@/db/client";
import { itemById, offeredTypes, type ReviewQueueRow, reviewQueueById } from "@/db/queries/reviewAnswers";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { maySee } from "@/lib/review/blind";
import { getQueue } from "@/lib/review/queue/queue";
import { recount } from "@/lib/review/serve/answer";
import { VERDICTS } from "@/lib/review/types";
import { said, saidKey } from "./standing";
import { relabelStep } from "./stepLabels";
import { relabelWindow } from "./windowLabels";

/** An item cannot be settled or reopened as asked. The message says why and what to do. */
export class SettleRefused extends Error {}

/** What a settlement says. `environment` and `unsure` are outcomes, too; they write no label. */
export interface Decision {
  verdict: string;
  types?: number[] | undefined;
  comment?: string | null | undefined;
}

/** Queue and item, or SettleRefused. */
export function settleable(db: Db, itemId: number) {
  const item = itemById(db, itemId);
  if (!item) throw new SettleRefused(`There is no item ${itemId}. Open the queue again: it may have been deleted.`);
  const queue = reviewQueueById(db, item.queueId) as ReviewQueueRow;
  return { item, queue };
}

/** Writes an event and an audit row of review. In the transaction of what it tells. */
export function record(
  db: Db,
  actor: Actor,
  queueId: number,
  itemId: number | null,
  kind: string,
  details: Record<string, unknown>,
): void {
  statement(db, "insert into review_event (queue_id, item_id, person_id, kind, details) values (?, ?, ?, ?, ?)").run(
    queueId,
    itemId,
    actor.personId,
    kind,
    JSON.stringify(details),
  );
  statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)").run(
    actor.name,
    kind,
    itemId === null ? `review:${queueId}` : `review:${queueId}/item:${itemId}`,
    JSON.stringify(details),
  );
}

/** Labels of the subject, as its settlements now say. */
function relabel(
  db: Db,
  queue: ReviewQueueRow,
  item: { subjectId: number; random: number },
  settled: { verdict: string; comment: string | null; personId: number | null } | null,
): void {
  if (queue.question === "wrong" || queue.question === "types") relabelStep(db, item.subjectId);
  if (queue.question === "window") relabelWindow(db, queue, item, settled);
}

/** Settles one item; false where its settlement says the same already. In a transaction; the caller has checked the role. */
export function settleItem(
  db: Db,
  queue: ReviewQueueRow,
  item: {
    id: number;
    subjectId: number;
    random: number;
    settlementId: number | null;
    verdict: string | null;
    types: number[];
    comment: string | null;
  },
  decision: Decision,
  method: "unanimous" | "decided",
  actor: Actor,
): boolean {
  const value = said({ verdict: decision.verdict, types: decision.types ?? null });
  const comment = decision.comment?.trim() || null;
  if (item.settlementId !== null) {
    const before = said({ verdict: item.verdict as string, types: item.types });
    if (saidKey(before) === saidKey(value) && item.comment === comment) return false;
    statement(db, "update review_settlement set current = 0 where item_id = ? and current = 1").run(item.id);
  }
  statement(
    db,
    "insert into review_settlement (item_id, verdict, types, method, comment, person_id) values (?, ?, ?, ?, ?, ?)",
  ).run(
    item.id,
    value.verdict,
    value.verdict === "types" ? JSON.stringify(value.types) : null,
    method,
    comment,
    actor.personId,
  );
  statement(db, "update review_item set status = 'settled' where id = ?").run(item.id);
  relabel(db, queue, item, { verdict: value.verdict, comment, personId: actor.personId });
  return true;
}

/**
 * Decides what holds of an item and writes its labels; a changed decision is a new row. False: it was settled like that
 * already. Who rates the queue answers an item before deciding it. Throws SettleRefused and NotAllowed.
 */
export function decide(db: Db, itemId: number, decision: Decision, actor: Actor): boolean {
  requireRole(actor, "admin");
  return db.$client
    .transaction(() => {
      const { item, queue } = settleable(db, itemId);
      if (!maySee(db, actor, itemId))
        throw new SettleRefused(
          `You rate this queue and have not answered item ${item.position} yet: answer it first.`,
        );
      const allowed = [...VERDICTS[queue.question], "unsure", "environment"] as readonly string[];
      if (!allowed.includes(decision.verdict))
        throw new SettleRefused(`"${decision.verdict}" is no outcome of this queue; it has ${allowed.join(", ")}.`);
      const offered = new Set(offeredTypes(db, queue.taxonomyId).map((t) => t.id));
      const unknown = (decision.types ?? []).filter((id) => !offered.has(id));
      if (decision.verdict === "types" && unknown.length > 0)
        throw new SettleRefused(`Type ${unknown[0]} is not of this queue's taxonomy version, or is retired.`);
      const changed = settleItem(db, queue, item, decision, "decided", actor);
      if (changed)
        record(db, actor, queue.id, itemId, item.settlementId === null ? "settle" : "settle again", {
          ...said({ verdict: decision.verdict, types: decision.types ?? null }),
          before: item.settlementId === null ? null : said({ verdict: item.verdict as string, types: item.types }),
        });
      return changed;
    })
    .immediate();
}

/** Takes a settlement back: the item is open for a decision again and its labels go. Throws SettleRefused, NotAllowed. */
export function reopen(db: Db, itemId: number, actor: Actor): void {
  requireRole(actor, "admin");
  db.$client
    .transaction(() => {
      const { item, queue } = settleable(db, itemId);
      if (item.settlementId === null) throw new SettleRefused(`Item ${item.position} is not settled.`);
      statement(db, "update review_settlement set current = 0 where id = ?").run(item.settlementId);
      statement(db, "update review_item set status = 'open' where id = ?").run(itemId);
      recount(db, getQueue(db, queue.id), itemId);
      relabel(db, queue, item, null);
      record(db, actor, queue.id, itemId, "reopen", {
        before: said({ verdict: item.verdict as string, types: item.types }),
      });
    })
    .immediate();
}
