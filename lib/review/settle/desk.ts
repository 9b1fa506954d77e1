import "server-only";
import type { Db } from "@/db/client";
import { offeredTypes } from "@/db/queries/reviewAnswers";
import type { Actor } from "@/lib/people/actor";
import { visibleItems } from "@/lib/review/blind";
import { type Said, type Standing, said, saidKey } from "./standing";
import { countStandings, type StandingCounts, standings } from "./unanimous";

/** One answer among the same ones. */
export interface DeskAnswer {
  /** null: hidden until the item is settled, or names are switched on. */
  person: string | null;
  reason: string | null;
  seconds: number | null;
  tooFast: boolean;
  round: number;
}

/** Answers that say the same, beside those that say otherwise. */
export interface DeskGroup extends Said {
  answers: DeskAnswer[];
}

export interface DeskItem {
  id: number;
  position: number;
  subjectId: number;
  standing: Standing;
  groups: DeskGroup[];
  settled: (Said & { method: string; comment: string | null; by: string | null }) | null;
  /** Known answer of a gold or catch item. */
  known: Said | null;
}

export interface Desk {
  queue: ReturnType<typeof standings>["queue"];
  counts: StandingCounts;
  /** Items of the wanted standing that may be seen, by position. */
  list: { id: number; position: number }[];
  /** Items of the wanted standing that the actor may not see: they rate the queue and have not answered them. */
  hidden: number;
  /** The one that was asked for, else the first of the list; null: there is none, or it may not be seen. */
  item: DeskItem | null;
  types: { id: number; name: string }[];
}

/** What a lead settles from: items of one standing, and one of them with what was said. Throws SettleRefused. */
export function settleDesk(
  db: Db,
  queueId: number,
  wanted: Standing,
  actor: Actor,
  options: { position?: number | null; names?: boolean } = {},
): Desk {
  const { queue, items } = standings(db, queueId);
  const of = items.filter((i) => i.standing === wanted);
  const visible = visibleItems(db, actor, queueId);
  const list = of.filter((i) => visible.has(i.item.id));
  const asked = items.find((i) => i.item.position === options.position);
  const shown = asked ? (visible.has(asked.item.id) ? asked : undefined) : list[0];
  return {
    queue,
    counts: countStandings(items),
    list: list.map(({ item }) => ({ id: item.id, position: item.position })),
    hidden: of.length - list.length,
    item: shown ? deskItem(shown, options.names === true) : null,
    types: offeredTypes(db, queue.taxonomyId).map(({ id, name }) => ({ id, name })),
  };
}

function deskItem(
  { item, answers, standing }: ReturnType<typeof standings>["items"][number],
  names: boolean,
): DeskItem {
  const groups = new Map<string, DeskGroup>();
  for (const answer of answers) {
    const value = said(answer);
    const group = groups.get(saidKey(value)) ?? { ...value, answers: [] };
    groups.set(saidKey(value), group);
    group.answers.push({
      person: names || standing === "settled" ? answer.person : null,
      reason: answer.reason,
      seconds: answer.durationMs === null ? null : answer.durationMs / 1000,
      tooFast: answer.tooFast === 1,
      round: answer.round,
    });
  }
  return {
    id: item.id,
    position: item.position,
    subjectId: item.subjectId,
    standing,
    // By what was said, not by who said it first: the order must not tell people apart.
    groups: [...groups.entries()]
      .sort(([a, x], [b, y]) => y.answers.length - x.answers.length || (a < b ? -1 : 1))
      .map(([, group]) => group),
    settled:
      item.settlementId === null
        ? null
        : {
            ...said({ verdict: item.verdict as string, types: item.types }),
            method: item.method as string,
            comment: item.comment,
            by: item.settledBy,
          },
    known: item.gold === null ? null : said(item.gold),
  };
}
