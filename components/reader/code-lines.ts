import { type Line, pushText } from "@/lib/text/glyphs";
import type { CodeToken } from "./types";

/** Highlighted tokens as lines, with invisible characters as glyphs. */
export function codeLines(tokens: CodeToken[]): Line[] {
  const lines: Line[] = [[]];
  let at = 0;
  for (const [look, text] of tokens) {
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) {
        lines.push([]);
        at++;
      }
      const line = lines.at(-1);
      if (line) pushText(line, part, look === "" ? "" : `tk-${look}`, at);
      at += part.length;
    }
  }
  return lines;
}
