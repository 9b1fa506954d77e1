/** Text as pieces that the embedded policy's vocabulary is made of: a word, a digit or a sign, with at most one space before it. */
const PIECE = / ?(?:[A-Za-z_]+|[0-9]|[^\sA-Za-z0-9_])|\s/gu;

/** Pieces of a text; joined they are the text again. */
export const piecesOf = (text: string): string[] => text.match(PIECE) ?? [];

/** Bytes of a text in UTF-8, with lone surrogates as the three bytes they would have (WTF-8), so that nothing is lost. */
export function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return bytes;
}

const BROKEN = "\ufffd";

/** The text of bytes of `bytesOf`; U+FFFD for each byte that belongs to no character. */
export function textOfBytes(bytes: readonly number[]): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    const rest = bytes.slice(i + 1, i + length);
    if (length === 0 || first >= 0xf5 || rest.length < length - 1 || rest.some((b) => b >> 6 !== 2)) {
      text += BROKEN;
      i++;
      continue;
    }
    const lead = length === 1 ? first : first & (0xff >> (length + 1));
    const code = rest.reduce((sum, b) => (sum << 6) | (b & 0x3f), lead);
    text += code <= 0x10ffff ? String.fromCodePoint(code) : BROKEN;
    i += length;
  }
  return text;
}
