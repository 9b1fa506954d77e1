import { diffArrays } from "diff";

/** Ranges (UTF-16) of the words that the other text does not have. */
export type Ranges = [start: number, end: number][];

/** Edits between two commands; beyond them everything counts as changed. */
const MOST_EDITS = 400;

/** A run of letters and digits, a run of spaces, or a single other character. */
const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

function push(ranges: Ranges, start: number, end: number): void {
  const last = ranges.at(-1);
  if (last && last[1] === start) last[1] = end;
  else if (end > start) ranges.push([start, end]);
}

/** Which words of two commands differ. */
export function changedWords(a: string, b: string): { a: Ranges; b: Ranges } {
  const changes = diffArrays(wordsOf(a), wordsOf(b), { maxEditLength: MOST_EDITS });
  if (!changes) return { a: [[0, a.length]], b: [[0, b.length]] };
  const out: { a: Ranges; b: Ranges } = { a: [], b: [] };
  let i = 0;
  let j = 0;
  for (const { value, added, removed } of changes) {
    const length = value.reduce((sum, word) => sum + word.length, 0);
    if (removed) {
      push(out.a, i, i + length);
      i += length;
    } else if (added) {
      push(out.b, j, j + length);
      j += length;
    } else {
      i += length;
      j += length;
    }
  }
  return out;
}
