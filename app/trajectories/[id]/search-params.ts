import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

import { WALKS } from "@/components/reader/walk";

export const TABS = ["steps", "tests", "metadata"] as const;
export type Tab = (typeof TABS)[number];

/** Where to land: a step by its number, or an entry by its index (messages have no number). */
export const loadReaderParams = createLoader({
  step: parseAsInteger,
  entry: parseAsInteger,
  /** Which steps to read where a localizer rejected some. */
  walk: parseAsStringLiteral(WALKS).withDefault("both"),
  find: parseAsString.withDefault(""),
  tab: parseAsStringLiteral(TABS).withDefault("steps"),
});
