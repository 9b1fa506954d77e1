import { type Line, lineText } from "./glyphs";

export const MAX_QUERY = 200;

/** Case-insensitive search for exactly these characters; null when there is nothing to look for. */
export function matcher(query: string): RegExp | null {
  const text = query.slice(0, MAX_QUERY);
  if (text === "") return null;
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gi");
}

/** Matches in one line, as UTF-16 ranges of its text. */
export function matchesIn(line: Line, re: RegExp): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (const match of lineText(line).matchAll(re)) found.push([match.index, match.index + match[0].length]);
  return found;
}

/** Number of matches in lines; the unit in which find counts "n of m". */
export function countMatches(lines: Line[], re: RegExp): number {
  let count = 0;
  for (const line of lines) count += matchesIn(line, re).length;
  return count;
}

/** A range to mark in a line with its class; `n` numbers a find match. */
export interface Mark {
  start: number;
  end: number;
  look: string;
  n?: number;
}

/** Cuts the runs of a line at the marks' edges and adds the marks' classes. Marks must not overlap and must be in order. */
export function markLine(line: Line, marks: Mark[]): (Line[number] & { mark?: Mark })[] {
  if (marks.length === 0) return line;
  const out: (Line[number] & { mark?: Mark })[] = [];
  let at = 0;
  let m = 0;
  for (const run of line) {
    let from = 0;
    while (from < run.text.length) {
      while (m < marks.length && (marks[m]?.end ?? 0) <= at + from) m++;
      const mark = marks[m];
      const inside = mark !== undefined && mark.start <= at + from;
      const edge = mark === undefined ? Number.POSITIVE_INFINITY : inside ? mark.end : mark.start;
      const to = Math.min(run.text.length, edge - at);
      out.push({ ...run, text: run.text.slice(from, to), at: run.at + from, ...(inside ? { mark } : {}) });
      from = to;
    }
    at += run.text.length;
  }
  return out;
}

/** Ranges of a line's text that come from the source range [start, end). */
export function sourceMarks(line: Line, start: number, end: number, look: string): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  for (const run of line) {
    const from = Math.max(start, run.at);
    const to = Math.min(end, run.at + run.text.length);
    if (from < to) {
      const mark = { start: at + from - run.at, end: at + to - run.at, look };
      const last = marks.at(-1);
      if (last && last.end === mark.start) last.end = mark.end;
      else marks.push(mark);
    }
    at += run.text.length;
  }
  return marks;
}
