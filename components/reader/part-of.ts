import type { EntryView, TextView } from "./types";

/** The text of an entry under a part name; null when it has none. */
export function partOf(entry: EntryView, part: string): TextView | null {
  if (part === "thinking") return entry.thinking;
  if (part === "message") return entry.message;
  if (part === "args") return entry.call?.args ?? null;
  const observation = /^(output|full)(\d+)$/.exec(part);
  if (!observation) return null;
  const view = entry.observations[Number(observation[2])];
  return (observation[1] === "full" ? view?.full : view?.output) ?? null;
}
