import type { SearchTerm } from "./fts";

/** A piece of a text around matches. `ranges` are UTF-16 ranges of `text`. */
export interface Snippet {
  text: string;
  ranges: [start: number, end: number][];
  cutBefore: boolean;
  cutAfter: boolean;
}

/** Lower case without accents, unit for unit: a character that would change length stays as it is. */
export function foldCase(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return text.replace(/\P{ASCII}|[A-Z]/gu, (char) => {
    const folded = char
      .normalize("NFD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase();
    return folded.length === char.length ? folded : char;
  });
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const BEFORE = "(?<![\\p{L}\\p{N}_])";
const AFTER = "(?![\\p{L}\\p{N}_])";

/** Finds the terms in folded text. */
export function termPattern(terms: SearchTerm[]): RegExp | null {
  const parts = terms.map(
    (t) =>
      `${BEFORE}${t.words.map((w) => literal(foldCase(w))).join("[^\\p{L}\\p{N}_]+")}${t.prefix ? "[\\p{L}\\p{N}_]*" : AFTER}`,
  );
  return parts.length === 0 ? null : new RegExp(parts.join("|"), "gu");
}

const evenOut = (text: string): string => text.replace(/[\t\r\n]/g, " ");

/** The first place where a term occurs, with about `width` characters around; null when none does. */
export function snippet(text: string, pattern: RegExp, width = 220): Snippet | null {
  const folded = foldCase(text);
  const first = folded.search(pattern);
  if (first === -1) return null;
  const pair = (at: number) =>
    at > 0 && /[\udc00-\udfff]/.test(text[at] ?? "") && /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at;
  const start = pair(Math.max(0, first - Math.floor(width / 3)));
  const end = pair(Math.min(text.length, start + width));
  const ranges: [number, number][] = [];
  for (const match of folded.slice(first, end + 60).matchAll(pattern)) {
    const from = first + match.index - start;
    const to = Math.min(from + match[0].length, end - start);
    if (from < to) ranges.push([from, to]);
  }
  return { text: evenOut(text.slice(start, end)), ranges, cutBefore: start > 0, cutAfter: end < text.length };
}
