import "server-only";
import type { Db } from "@/db/client";
import { offeredTypes, queueItems, type ReviewQueueRow, reviewQueueById } from "@/db/queries/reviewAnswers";
import type { Actor } from "@/lib/people/actor";
import { countStandings, type StandingCounts, standings } from "@/lib/review/settle/unanimous";
import { visibleAnswers } from "@/lib/review/visibleAnswers";
import { type Confused, confusionOf, type RaterPair, raterPairs } from "./confusion";
import { type AgainstKnown, againstKnown } from "./gold";
import { byType, type Overall, overallOf, type TypeAgreement } from "./measures";
import { driftOf, type RaterRow, ratersOf } from "./raters";

export interface AgreementReport {
  queue: ReviewQueueRow;
  round: number;
  /** Rounds that have answers. */
  rounds: number[];
  items: number;
  /** Items of which the actor may not see the answers: none of their answers is in any number here. */
  hidden: number;
  /** Items with two answers or more, known ones left out. */
  shared: number;
  standing: StandingCounts;
  /** With unsure and environment as categories of their own, and without them. */
  overall: [Overall, Overall];
  types: TypeAgreement[];
  names: Record<string, string>;
  pairs: RaterPair[];
  confusion: Confused[];
  known: AgainstKnown[];
  raters: RaterRow[];
  drift: ReturnType<typeof driftOf>;
}

/**
 * Everything about the agreement of people in one round of a queue. Known items (gold, catch) are not in agreement, since
 * everybody is given them; they are in `known`. Only answers that the actor may see (lib/review/blind) count. undefined: there is no such queue.
 */
export function agreementReport(db: Db, queueId: number, actor: Actor, round = 1): AgreementReport | undefined {
  const queue = reviewQueueById(db, queueId);
  if (!queue) return undefined;
  const items = queueItems(db, queueId);
  const { answers: all, visible } = visibleAnswers(db, actor, queue);
  const answers = all.filter((a) => a.round === round);
  const known = new Set(items.filter((i) => i.goldKind !== null).map((i) => i.id));
  const open = answers.filter((a) => !known.has(a.itemId));
  const types = offeredTypes(db, queue.taxonomyId);
  const perItem = new Map<number, number>();
  for (const a of open) if (a.verdict !== "skip") perItem.set(a.itemId, (perItem.get(a.itemId) ?? 0) + 1);
  return {
    queue,
    round,
    rounds: [...new Set(all.map((a) => a.round))].sort(),
    items: items.length,
    hidden: items.length - visible.size,
    shared: [...perItem.values()].filter((n) => n > 1).length,
    standing: countStandings(standings(db, queueId).items),
    overall: [overallOf(open, queue.question, "apart"), overallOf(open, queue.question, "left-out")],
    types: queue.question === "types" ? byType(open, types, "left-out") : [],
    names: Object.fromEntries(types.map((t) => [String(t.id), t.name])),
    pairs: raterPairs(open, "apart"),
    confusion: confusionOf(open),
    known: againstKnown(
      items.filter((i) => visible.has(i.id)),
      answers,
    ),
    raters: ratersOf(answers),
    drift: driftOf(open),
  };
}
