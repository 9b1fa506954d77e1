/** Limits of what is shown of a long text before it is opened. */
export const FOLD = {
  lines: 100,
  headLines: 60,
  tailLines: 30,
  chars: 12_000,
  headChars: 6_000,
  tailChars: 3_000,
} as const;

/** Head and tail of a text with what lies between them left out. `tailAt` is where the tail starts in the text. */
export interface Folded {
  head: string;
  tail: string;
  tailAt: number;
  /** Colour sequences in force where the tail starts. */
  tailSgr: string;
  omittedLines: number;
  omittedChars: number;
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Moves a cut to before a surrogate pair it would split. */
const whole = (text: string, at: number): number =>
  at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;

/** Index just after the nth line feed, or -1. */
function afterLines(text: string, lines: number): number {
  let at = 0;
  for (let i = 0; i < lines; i++) {
    const next = text.indexOf("\n", at);
    if (next === -1) return -1;
    at = next + 1;
  }
  return at;
}

/** Index where the last `lines` lines start. */
function lastLines(text: string, lines: number): number {
  let at = text.length;
  for (let i = 0; i < lines; i++) {
    const previous = text.lastIndexOf("\n", at - 1);
    if (previous <= 0) return 0;
    at = previous;
  }
  return at + 1;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

const SGR = new RegExp(String.raw`${"\u001b"}\[([\d;]*)m`, "g");

/** Colour sequences since the last reset before `at`, looking back a bounded way. */
function sgrBefore(text: string, at: number): string {
  const codes = [...text.slice(Math.max(0, at - 20_000), at).matchAll(SGR)].map((m) => m[1] ?? "");
  const reset = codes.findLastIndex((c) => c === "" || c === "0" || c === "00");
  return codes
    .slice(reset + 1)
    .slice(-8)
    .map((c) => `\u001b[${c}m`)
    .join("");
}

/** Folds a long text; null when it is short enough to show whole. Cuts at lines where it can, never inside a surrogate pair. */
export function fold(text: string): Folded | null {
  const long = text.length > FOLD.chars;
  const many = afterLines(text, FOLD.lines);
  if (!long && (many === -1 || many >= text.length)) return null;
  const headLines = afterLines(text, FOLD.headLines);
  let headEnd = headLines === -1 ? text.length : headLines;
  if (headEnd > FOLD.headChars) {
    const line = text.lastIndexOf("\n", FOLD.headChars) + 1;
    headEnd = line > FOLD.headChars / 2 ? line : whole(text, FOLD.headChars);
  }
  let tailAt = lastLines(text, FOLD.tailLines);
  if (text.length - tailAt > FOLD.tailChars) {
    const line = text.indexOf("\n", text.length - FOLD.tailChars) + 1;
    const near = line > 0 && text.length - line > FOLD.tailChars / 2;
    tailAt = near ? line : whole(text, text.length - FOLD.tailChars);
  }
  if (tailAt <= headEnd) return null;
  return {
    head: text.slice(0, headEnd),
    tail: text.slice(tailAt),
    tailAt,
    tailSgr: sgrBefore(text, tailAt),
    omittedLines: countLines(text, headEnd, tailAt),
    omittedChars: tailAt - headEnd,
  };
}
