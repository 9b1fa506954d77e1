import type { Parsed } from "./types";

/** An id as models write it: 12, "12", "#12", "id 12", "12.". null: no id. */
export function readId(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (typeof value !== "string") return null;
  const match = /^\s*(?:(?:id|example|step)\b\s*[:=]?\s*)?#?\s*(\d{1,15})\s*\.?\s*$/i.exec(value);
  return match ? Number(match[1]) : null;
}

const listed = (ids: readonly unknown[]): string =>
  ids.slice(0, 12).map(String).join(", ") + (ids.length > 12 ? ", …" : "");

/** Ids of a list, each once, in the order given; what is not among `known` is left out and named. */
export function readIds(
  values: readonly unknown[],
  known: ReadonlySet<number>,
): { ids: number[]; unknown: unknown[]; repairs: string[] } {
  const ids = new Set<number>();
  const unknown: unknown[] = [];
  const twice = new Set<number>();
  let spelled = 0;
  for (const value of values) {
    const id = readId(value);
    if (id === null || !known.has(id)) {
      unknown.push(value);
      continue;
    }
    if (typeof value !== "number") spelled++;
    if (ids.has(id)) twice.add(id);
    ids.add(id);
  }
  const repairs: string[] = [];
  if (spelled > 0) repairs.push(`${spelled} ids were no plain numbers`);
  if (twice.size > 0) repairs.push(`ids came twice in a list: ${listed([...twice])}`);
  if (unknown.length > 0) repairs.push(`ids that were not asked about left out: ${listed(unknown)}`);
  return { ids: [...ids], unknown, repairs };
}

/** How the entries of a batch may be mended. */
export interface EntryRules<T> {
  /** What two entries of one id come to; null: they contradict each other. Without it only equal entries are one. */
  merge?: (one: T, other: T) => T | null;
}

/**
 * Entries of a batch by id: every id of `asked` must have exactly one. Mended and said: ids written as text, equal or
 * mergeable entries of one id, entries of ids that were not asked about while none that was is missing (with one missing,
 * the unknown id may be meant for it). Anything else is not ok: it would be a guess.
 */
export function entriesById<T>(
  entries: readonly { id: unknown; entry: T }[],
  asked: readonly number[],
  { merge }: EntryRules<T> = {},
): Parsed<Map<number, T>> {
  const { unknown, repairs } = readIds(
    entries.map((e) => e.id),
    new Set(asked),
  );
  const found = new Map<number, T>();
  const strange = new Set(unknown);
  for (const { id: written, entry } of entries) {
    if (strange.has(written)) continue;
    const id = readId(written);
    if (id === null) continue;
    const before = found.get(id);
    if (!found.has(id) || before === undefined) {
      found.set(id, entry);
      continue;
    }
    const one = JSON.stringify(before) === JSON.stringify(entry) ? before : (merge?.(before, entry) ?? null);
    if (one === null) return { ok: false, reason: `id ${id} comes twice with different answers` };
    found.set(id, one);
  }
  const missing = asked.filter((id) => !found.has(id));
  if (missing.length > 0) {
    const also = unknown.length > 0 ? `; ids that were not asked about: ${listed(unknown)}` : "";
    return { ok: false, reason: `no answer for ${missing.length === 1 ? "id" : "ids"} ${listed(missing)}${also}` };
  }
  return { ok: true, output: found, repairs };
}
