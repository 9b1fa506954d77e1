import "server-only";
import type { Db } from "@/db/client";
import { type AnswerRow, currentAnswers, queueItems, reviewQueueById } from "@/db/queries/reviewAnswers";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Actor, requireRole } from "@/lib/people/actor";
import { visibleItems } from "@/lib/review/blind";
import { record, SettleRefused, settleItem } from "./decide";
import { decisive, type Standing, standingOf } from "./standing";

/** How many items of a queue stand how. */
export type StandingCounts = Record<Standing, number>;

const NONE: StandingCounts = { settled: 0, gold: 0, waiting: 0, unsure: 0, unanimous: 0, conflict: 0 };

/** Items of a queue with their decisive answers and where they stand. */
export function standings(db: Db, queueId: number) {
  const queue = reviewQueueById(db, queueId);
  if (!queue) throw new SettleRefused(`There is no review queue ${queueId}.`);
  const answers = groupBy(currentAnswers(db, queueId), (a) => String(a.itemId));
  const items = queueItems(db, queueId).map((item) => {
    const own = decisive((answers.get(String(item.id)) ?? []) as AnswerRow[]);
    return { item, answers: own, standing: standingOf(item, own, queue) };
  });
  return { queue, items };
}

export function countStandings(items: readonly { standing: Standing }[]): StandingCounts {
  const counts = { ...NONE };
  for (const { standing } of items) counts[standing]++;
  return counts;
}

export interface Adopted {
  adopted: number;
  /** Everything else, by why it was left out; unanimous: the actor rates the queue and has not answered them. */
  leftOut: StandingCounts;
}

/** Items settled in one transaction: the database stays free for raters in between. */
const BATCH = 200;

/**
 * Settles all items on which every rater said the same, as they said it. Items without all their answers, with a conflict,
 * on which all are unsure, and known ones (gold, catch) are left out. Throws SettleRefused and NotAllowed.
 */
export function adoptUnanimous(db: Db, queueId: number, actor: Actor): Adopted {
  requireRole(actor, "admin");
  let adopted = 0;
  for (;;) {
    const done = db.$client
      .transaction(() => {
        const { queue, items } = standings(db, queueId);
        const visible = visibleItems(db, actor, queueId);
        const batch = items.filter((i) => i.standing === "unanimous" && visible.has(i.item.id)).slice(0, BATCH);
        for (const { item, answers } of batch)
          settleItem(
            db,
            queue,
            item,
            { verdict: answers[0]?.verdict as string, types: answers[0]?.types },
            "unanimous",
            actor,
          );
        if (batch.length > 0)
          record(db, actor, queueId, null, "adopt unanimous", { items: batch.map(({ item }) => item.id) });
        return batch.length;
      })
      .immediate();
    adopted += done;
    if (done < BATCH) break;
  }
  const rest = countStandings(standings(db, queueId).items);
  return { adopted, leftOut: { ...rest, settled: rest.settled - adopted } };
}
