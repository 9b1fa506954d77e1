import { createLoader, createSerializer, parseAsBoolean, parseAsInteger, parseAsStringLiteral } from "nuqs/server";

/** What can be listed: the words of lib/review/settle/standing. */
export const SHOWN = ["conflict", "unsure", "unanimous", "waiting", "settled", "gold"] as const;
export type Shown = (typeof SHOWN)[number];

export const settleParams = {
  show: parseAsStringLiteral(SHOWN).withDefault("conflict"),
  /** Position of the item that is shown; the first of the list without it. */
  item: parseAsInteger,
  names: parseAsBoolean.withDefault(false),
};

export const loadSettleParams = createLoader(settleParams);
export type SettleParams = Awaited<ReturnType<typeof loadSettleParams>>;
const serialize = createSerializer(settleParams);

/** Address of a queue's settle page with these parameters. */
export const settleHref = (queueId: number, params: Partial<SettleParams>): string =>
  serialize(`/review/${queueId}/settle`, params);
