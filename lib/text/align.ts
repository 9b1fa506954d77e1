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

/**
 * Aligns columns of step keys: each against the first by longest common subsequence. Steps that only others have come
 * in rows of their own before the next common one, equal ones among them in one row.
 */
export function align(columns: string[][], timeout = 400): Alignment {
  const [base = [], ...others] = columns;
  let complete = true;
  const matches = others.map((other) => {
    const match = matchTo(base, other, timeout);
    if (!match) complete = false;
    return match ?? commonStart(base, other);
  });
  const next = others.map(() => 0);
  const rows: AlignedRow[] = [];
  const push = (steps: (number | null)[]) => {
    const keys = steps.map((s, c) => (s === null ? null : columns[c]?.[s]));
    rows.push({ steps, same: keys.every((k) => k !== null && k === keys[0]) });
  };
  /** Steps of the other columns before their index in `until`. */
  const insert = (until: (number | null)[]) => {
    for (;;) {
      const heads = others.map((other, c) => {
        const at = next[c] ?? 0;
        return at < (until[c] ?? 0) ? (other[at] ?? null) : null;
      });
      const lead = heads.findIndex((h) => h !== null);
      if (lead === -1) return;
      const steps = heads.map((head, c) => {
        if (head === null || head !== heads[lead]) return null;
        const at = next[c] ?? 0;
        next[c] = at + 1;
        return at;
      });
      push([null, ...steps]);
    }
  };
  for (let i = 0; i < base.length; i++) {
    insert(matches.map((match, c) => match[i] ?? next[c] ?? 0));
    push([
      i,
      ...matches.map((match, c) => {
        const at = match[i] ?? null;
        if (at !== null) next[c] = at + 1;
        return at;
      }),
    ]);
  }
  insert(others.map((other) => other.length));
  const parting = rows.findIndex((row) => !row.same);
  return { rows, parting: parting === -1 ? null : parting, complete };
}
