import "server-only";
import { entryView } from "@/app/trajectories/[id]/entry-view";
import type { Db } from "@/db/client";
import type { Actor } from "@/lib/people/actor";
import { newestGuideline, type Queue } from "@/lib/review/queue/queue";
import { claimNext } from "@/lib/review/serve/claim";
import { progressOf } from "@/lib/review/serve/progress";
import { blindEntries, blindItem, taskEntry } from "@/lib/review/serve/view";
import type { NextView, SeatItem } from "./types";

/** Entries before the subject that are sent with it. */
const NEAR = 3;

/** An item as the seat shows it, texts folded. Throws what blindItem throws. */
export function seatItem(db: Db, actor: Actor, queueId: number, itemId: number, until: number | null = null): SeatItem {
  const item = blindItem(db, actor, queueId, itemId);
  const { subject, question, position, own, open } = item;
  const from = Math.max(0, subject.from - NEAR);
  const rows = blindEntries(db, item, from, subject.to - from + 1);
  const task = from > 0 ? taskEntry(db, item) : null;
  return {
    ...{ itemId, position, question, own, open, until },
    trajectoryId: subject.trajectoryId,
    from: subject.from,
    to: subject.to,
    last: subject.until,
    asks: subject.asks,
    task: task && task.index < from ? entryView(task) : null,
    entries: rows.map((row) => entryView(row)),
  };
}

/** Claims what comes next and gives it as the seat shows it, with the person's progress and the guideline's version. */
export function nextView(db: Db, actor: Actor, queue: Queue, inHand: readonly number[]): NextView {
  const next = claimNext(db, actor, queue.id, { inHand });
  return {
    next:
      next.state === "item" ? { state: "item", item: seatItem(db, actor, queue.id, next.itemId, next.until) } : next,
    progress: progressOf(db, queue, actor.personId ?? 0),
    guideline: newestGuideline(db, queue.id)?.version ?? 0,
  };
}
