/** A stretch of text to show with one look. `at` is where it starts in the text it was made from (UTF-16). */
export interface Run {
  text: string;
  /** Space-separated class names; "" for plain. */
  look: string;
  at: number;
  /** Set when `text` stands for something invisible: what to show instead, and its name. */
  glyph?: { show: string; name: string };
}

/** Lines of runs: what a text looks like. Lines carry no line feed. */
export type Line = Run[];

const NAMES: Record<number, string> = {
  0: "NUL",
  7: "bell",
  8: "backspace",
  11: "vertical tab",
  12: "form feed",
  13: "carriage return",
  27: "escape",
  127: "delete",
  173: "soft hyphen",
  1564: "Arabic letter mark",
  6158: "Mongolian vowel separator",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction formatting",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of isolate",
  65279: "byte order mark",
};

const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

/** What to show in place of an invisible or order-changing character, and its name. */
export function glyphOf(char: string): { show: string; name: string } {
  const code = char.codePointAt(0) ?? 0;
  const kind = code >= 0xd800 && code <= 0xdfff ? "half of a surrogate pair" : (NAMES[code] ?? "control character");
  const name = `${kind} (${hex(code)})`;
  if (code < 0x20) return { show: String.fromCodePoint(0x2400 + code), name };
  if (code === 0x7f) return { show: "␡", name };
  return { show: hex(code), name };
}

// Controls but tab and line feed, formatting characters but the visible Arabic ones, separators, lone surrogates, fillers.
const INVISIBLE =
  /(?![\t\n])\p{Cc}|(?![\u0600-\u0605\u06dd\u070f\u0890-\u0891\u08e2])\p{Cf}|[\u034f\u115f\u1160\u3164\uffa0]|[\p{Zl}\p{Zp}\p{Cs}]|[\u{e0000}-\u{e007f}]/gu;
const PICTURE = /\p{Extended_Pictographic}/u;

/** A joiner between two pictures makes one emoji of them: it hides nothing. */
const joinsPictures = (text: string, at: number): boolean =>
  text[at] === "\u200d" &&
  PICTURE.test(text.slice(Math.max(0, at - 3), at)) &&
  PICTURE.test(text.slice(at + 1, at + 3));

/** Appends `text` to a line, with invisible characters as glyphs. `at` is its place in the source. */
export function pushText(line: Line, text: string, look: string, at: number): void {
  let from = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    if (joinsPictures(text, match.index)) continue;
    if (match.index > from) line.push({ text: text.slice(from, match.index), look, at: at + from });
    line.push({ text: match[0], look, at: at + match.index, glyph: glyphOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) line.push({ text: text.slice(from), look, at: at + from });
}

/**
 * Short foreign text for one line of the page (names, labels, titles): invisible and order-changing characters replaced
 * by their glyph. Also makes it the same on server and in the browser, where a lone surrogate would not survive HTML.
 */
export function visible(text: string): string {
  const line: Line = [];
  pushText(line, text.replace(/[\t\n]+/g, " "), "", 0);
  return line.map((run) => run.glyph?.show ?? run.text).join("");
}

/**
 * A name that a file gives to a model or a task. One of nothing but punctuation, or of nothing, would pass for a gap of
 * the page: it stands in quotes, and the file is named as its author.
 */
export const statedName = (name: string): string =>
  /[^\p{P}\p{Z}\p{C}]/u.test(name) ? visible(name) : `“${visible(name)}” (as the file says)`;

/** Lines of a text that is no terminal output (thinking, messages, commands, raw views): nothing is interpreted. */
export function plainLines(text: string): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const part of text.split("\n")) {
    const line: Line = [];
    pushText(line, part, "", at);
    lines.push(line);
    at += part.length + 1;
  }
  return lines;
}

/** The characters of a line as they can be searched. */
export const lineText = (line: Line): string =>
  line.length === 1 ? (line[0]?.text ?? "") : line.map((r) => r.text).join("");
