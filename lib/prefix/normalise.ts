import { type VolatileCause, volatileSpans } from "./volatile";

/** A line with everything volatile replaced, and what stood there, in the order it was found. */
export interface NormalisedLine {
  text: string;
  replaced: { cause: VolatileCause; text: string }[];
}

const mark = (cause: VolatileCause): string => `‹${cause}›`;

/** More passes are never needed for real output; the bound keeps a made-up text from going on. */
const MOST_PASSES = 50;

/** Lines of a text with times, process numbers, temporary names, durations and addresses replaced by marks (recipe 9). */
export function normaliseLines(text: string): NormalisedLine[] {
  const lines: NormalisedLine[] = text.split("\n").map((line) => ({ text: line, replaced: [] }));
  // What stands beside a mark may get a form it did not have before: until nothing more is found.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const found = volatileSpans(lines.map((line) => line.text));
    let changed = false;
    found.forEach((spans, i) => {
      const line = lines[i];
      if (!line || spans.length === 0) return;
      let out = "";
      let at = 0;
      for (const span of spans) {
        const was = line.text.slice(span.start, span.end);
        out += line.text.slice(at, span.start) + (/^\s/.test(was) ? " " : "") + mark(span.cause);
        line.replaced.push({ cause: span.cause, text: was.trim() });
        at = span.end;
      }
      const next = out + line.text.slice(at);
      if (next !== line.text) changed = true;
      line.text = next;
    });
    if (!changed) break;
  }
  return lines;
}

/**
 * The text as the normalised rule compares it. Never reorders lines and never touches names, sizes or modes: the order
 * may be what the agent read. The rule is a second, labelled verdict; the exact one decides (recipe 9).
 */
export const normalise = (text: string): string =>
  normaliseLines(text)
    .map((line) => line.text)
    .join("\n");
