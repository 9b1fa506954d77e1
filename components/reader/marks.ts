/** Bits of an entry in the overview: the same as MARKS of db/queries/reader-entries, which the browser must not import. */
export const MARK_BITS = {
  numbered: 4,
  failed: 8,
  timedOut: 16,
  toolError: 32,
  copied: 64,
  note: 128,
  sameTurn: 256,
  rejected: 512,
  correction: 1024,
} as const;

/** Step numbers by entry; null where an entry has none. */
export function numbersOf(marks: number[]): (number | null)[] {
  let number = 0;
  return marks.map((mark) => (mark & MARK_BITS.numbered ? ++number : null));
}
