import { diffArrays } from "diff";

/** What two steps are compared by: the command with its white space evened out. */
export const commandKey = (command: string): string => command.trim().replace(/\s+/g, " ").replace(/;$/, "");

/** One row of the alignment: for each column the index of its step, or null. `same` when all columns have an equal key. */
export interface AlignedRow {
  steps: (number | null)[];
  same: boolean;
}

export interface Alignment {
  rows: AlignedRow[];
  /** First row in which not all columns do the same; null when they never part. */
  parting: number | null;
  /** False when comparing took too long and columns were only set side by side after their common start. */
  complete: boolean;
}

/** For each index of `base` the matching index of `other`, or null; null as a whole when it takes too long. */
function matchTo(base: string[], other: string[], timeout: number): (number | null)[] | null {
  const changes = diffArrays(base, other, { timeout });
  if (!changes) return null;
  const match: (number | null)[] = new Array<number | null>(base.length).fill(null);
  let b = 0;
  let o = 0;
  for (const change of changes) {
    if (change.added) o += change.value.length;
    else if (change.removed) b += change.value.length;
    else for (let i = 0; i < change.value.length; i++) match[b++] = o++;
  }
  return match;
}

/** Equal steps from the start on; the fallback where a full comparison takes too long. */
function commonStart(base: string[], other: string[]): (number | null)[] {
  let same = true;
  return base.map((key, i) => {
    same = same && other[i] === key;
    return same ? i : null;
  });
}

/** One column while rows are made: its next step, and the step of it that each base step matches. */
interface Column {
  next: number;
  length: number;
  /** By base index; null where nothing matches. */
  match: (number | null)[];
}

/** Where a column must stop for now: at its next match at or after base step `from`. */
function stopOf(column: Column, from: number): number {
  for (let i = from; i < column.match.length; i++) {
    const at = column.match[i] ?? null;
    if (at !== null) return at;
  }
  return column.length;
}

/**
 * Aligns columns of step keys: each against the first by longest common subsequence. Between two common steps what is
 * only in one column stands beside what is only in another, as in a side-by-side diff.
 */
export function align(columns: string[][], timeout = 400): Alignment {
  const [base = [], ...rest] = columns;
  let complete = true;
  const others = rest.map((other): Column => {
    const match = matchTo(base, other, timeout);
    if (!match) complete = false;
    return { next: 0, length: other.length, match: match ?? commonStart(base, other) };
  });
  const rows: AlignedRow[] = [];
  const push = (steps: (number | null)[]) => {
    const keys = steps.map((s, c) => (s === null ? null : columns[c]?.[s]));
    rows.push({ steps, same: keys.every((k) => k !== null && k === keys[0]) });
  };
  const pending: number[] = [];
  /** Rows of what lies before base step `at`: all of it in the columns that match there, as far as it goes in others. */
  const gap = (at: number, must: Column[]) => {
    const stops = others.map((column) => stopOf(column, at));
    const left = () => pending.length > 0 || must.some((column) => column.next < (stops[others.indexOf(column)] ?? 0));
    while (left()) {
      push([
        pending.shift() ?? null,
        ...others.map((column, c) => (column.next < (stops[c] ?? 0) ? column.next++ : null)),
      ]);
    }
  };
  for (let i = 0; i < base.length; i++) {
    const matching = others.filter((column) => (column.match[i] ?? null) !== null);
    if (matching.length === 0) {
      pending.push(i);
      continue;
    }
    gap(i, matching);
    push([i, ...others.map((column) => (matching.includes(column) ? column.next++ : null))]);
  }
  gap(base.length, others);
  const parting = rows.findIndex((row) => !row.same);
  return { rows, parting: parting === -1 ? null : parting, complete };
}
