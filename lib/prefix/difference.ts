import { diffArrays, diffChars } from "diff";
import { normaliseLines } from "./normalise";

/** A part of a line; `changed` when the other side does not have it. */
export interface Segment {
  text: string;
  changed: boolean;
}

/** A line of one side. `number` counts from 1. */
export interface DiffLine {
  number: number;
  segments: Segment[];
}

/** One row of the aligned view. A side is null when the other has a line it has not. */
export interface DiffRow {
  recorded: DiffLine | null;
  rerun: DiffLine | null;
  same: boolean;
}

/** Two texts side by side. */
export interface Difference {
  rows: DiffRow[];
  /** Index of the first row that is not the same; null when the texts are equal. */
  first: number | null;
  /** What was not worked out or is not shown, in words. Empty when the view is whole. */
  cut: string[];
}

/** Bounds of the work: edits between lines, edits inside a line, length of a line that is compared by character, rows. */
const LINE_EDITS = 1500;
const CHAR_EDITS = 300;
const CHAR_LINE = 2000;
const MAX_ROWS = 4000;
/** Equal stretches shorter than this between two changes read as part of the change. */
const BRIDGE = 2;

interface Notes {
  lines: boolean;
  chars: number;
}

type Pair = [recorded: number | null, rerun: number | null];

/** Numbers of lines that stand beside each other, by longest common subsequence of their keys; index by index where that takes too long. */
function pairLines(a: string[], b: string[], from: [number, number], notes: Notes, inner?: Inner): Pair[] {
  const [a0, b0] = from;
  const changes = diffArrays(a, b, { maxEditLength: LINE_EDITS });
  if (!changes) {
    notes.lines = true;
    return besides(a.length, b.length, a0, b0);
  }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  let removed = 0;
  let added = 0;
  const flush = () => {
    if (removed > 0 || added > 0)
      pairs.push(
        ...(inner && removed > 0 && added > 0
          ? inner([i - removed + a0, i + a0], [j - added + b0, j + b0])
          : besides(removed, added, i - removed + a0, j - added + b0)),
      );
    removed = 0;
    added = 0;
  };
  for (const change of changes) {
    const n = change.value.length;
    if (change.removed) {
      i += n;
      removed += n;
    } else if (change.added) {
      j += n;
      added += n;
    } else {
      flush();
      for (let k = 0; k < n; k++) pairs.push([i++ + a0, j++ + b0]);
    }
  }
  flush();
  return pairs;
}

type Inner = (recorded: [number, number], rerun: [number, number]) => Pair[];

const besides = (n: number, m: number, a0: number, b0: number): Pair[] =>
  Array.from({ length: Math.max(n, m) }, (_, k): Pair => [k < n ? a0 + k : null, k < m ? b0 + k : null]);

/** The changed middle of two lines, for lines too long or too different to compare by character. */
function middle(a: string, b: string): [Segment[], Segment[]] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const cutOf = (text: string): Segment[] =>
    [
      { text: text.slice(0, start), changed: false },
      { text: text.slice(start, text.length - end), changed: true },
      { text: text.slice(text.length - end), changed: false },
    ].filter((segment) => segment.text !== "");
  return [cutOf(a), cutOf(b)];
}

/** Two lines with their changed characters marked. */
export function compareLines(a: string, b: string, notes: Notes = { lines: false, chars: 0 }): [Segment[], Segment[]] {
  if (a.length > CHAR_LINE || b.length > CHAR_LINE) {
    notes.chars++;
    return middle(a, b);
  }
  const changes = diffChars(a, b, { maxEditLength: CHAR_EDITS });
  if (!changes) {
    notes.chars++;
    return middle(a, b);
  }
  const left: Segment[] = [];
  const right: Segment[] = [];
  const add = (list: Segment[], text: string, changed: boolean) => {
    const last = list.at(-1);
    if (last && last.changed === changed) last.text += text;
    else if (text !== "") list.push({ text, changed });
  };
  changes.forEach((change, k) => {
    if (change.removed) add(left, change.value, true);
    else if (change.added) add(right, change.value, true);
    else {
      const between = k > 0 && k < changes.length - 1 && change.value.length <= BRIDGE;
      add(left, change.value, between);
      add(right, change.value, between);
    }
  });
  return [left, right];
}

/**
 * Aligns two outputs: lines by longest common subsequence, changed lines once more without what is volatile in them, and
 * the characters inside lines that then stand beside each other. The work is bounded; what was left out is said in `cut`.
 */
export function difference(recorded: string, rerun: string): Difference {
  const a = recorded.split("\n");
  const b = rerun.split("\n");
  const notes: Notes = { lines: false, chars: 0 };
  const plain = (text: string) => normaliseLines(text).map((line) => line.text);
  const inner: Inner = ([a0, a1], [b0, b1]) =>
    pairLines(plain(a.slice(a0, a1).join("\n")), plain(b.slice(b0, b1).join("\n")), [a0, b0], notes);
  const pairs = pairLines(a, b, [0, 0], notes, inner);
  const cut: string[] = [];
  if (pairs.length > MAX_ROWS) cut.push(`${pairs.length - MAX_ROWS} of ${pairs.length} lines are not shown`);
  const whole = (text: string): Segment[] => [{ text, changed: false }];
  let first: number | null = null;
  const rows = pairs.slice(0, MAX_ROWS).map(([i, j], index): DiffRow => {
    const left = i === null ? null : (a[i] ?? "");
    const right = j === null ? null : (b[j] ?? "");
    const same = left !== null && left === right;
    if (!same) first ??= index;
    let segments: [Segment[], Segment[]] | null = null;
    if (!same && left !== null && right !== null) segments = compareLines(left, right, notes);
    const side = (line: string | null, at: number | null, which: 0 | 1): DiffLine | null =>
      line === null || at === null
        ? null
        : { number: at + 1, segments: same ? whole(line) : (segments?.[which] ?? [{ text: line, changed: true }]) };
    return { recorded: side(left, i, 0), rerun: side(right, j, 1), same };
  });
  if (notes.lines)
    cut.push("the outputs differ too much to align all lines; some stand beside each other by number only");
  if (notes.chars > 0)
    cut.push(
      `${notes.chars} ${notes.chars === 1 ? "line is" : "lines are"} too long or too different to mark each character`,
    );
  return { rows, first, cut };
}
