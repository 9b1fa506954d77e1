import { type Line, pushText } from "@/lib/text/glyphs";
import type { CodeToken } from "./types";

/** Stretches of a code that look different, by their places (UTF-16) in it. */
export interface Stretches {
  ranges: [start: number, end: number][];
  look: string;
}

/** Tokens cut at the borders of the stretches, those inside with the stretches' look added. */
function cutTokens(tokens: CodeToken[], { ranges, look }: Stretches): [classes: string, text: string][] {
  const out: [string, string][] = [];
  let at = 0;
  let next = 0;
  for (const [kind, text] of tokens) {
    const classes = kind === "" ? "" : `tk-${kind}`;
    const end = at + text.length;
    let from = at;
    while (from < end) {
      while (next < ranges.length && (ranges[next]?.[1] ?? 0) <= from) next++;
      const [start, stop] = ranges[next] ?? [end, end];
      const inside = start <= from;
      const to = Math.min(end, inside ? stop : start);
      out.push([inside ? `${classes} ${look}`.trim() : classes, text.slice(from - at, to - at)]);
      from = to;
    }
    at = end;
  }
  return out;
}

/** Highlighted tokens as lines, with invisible characters as glyphs. */
export function codeLines(tokens: CodeToken[], changed?: Stretches): Line[] {
  const lines: Line[] = [[]];
  let at = 0;
  for (const [look, text] of cutTokens(tokens, changed ?? { ranges: [], look: "" })) {
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) {
        lines.push([]);
        at++;
      }
      const line = lines.at(-1);
      if (line) pushText(line, part, look, at);
      at += part.length;
    }
  }
  return lines;
}
