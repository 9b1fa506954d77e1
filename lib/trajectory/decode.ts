import { isAscii, isUtf8 } from "node:buffer";

/**
 * Bytes to text. Bytes that are no UTF-8 become U+FFFD, and `warning` then names how many replacements there are and
 * the byte offset of the first. A byte order mark of UTF-16 is honoured.
 */
export function decodeText(bytes: Buffer): { text: string; warning: string | null } {
  if (isAscii(bytes)) return { text: bytes.toString("latin1"), warning: null };
  if (isUtf8(bytes)) return { text: bytes.toString("utf8"), warning: null };
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) {
    return {
      text: bytes.toString("utf16le", 2),
      warning: "read as UTF-16 (little endian) because of its byte order mark",
    };
  }
  const text = bytes.toString("utf8");
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (validPrefix(bytes, middle)) low = middle;
    else high = middle - 1;
  }
  let replaced = 0;
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) replaced += 1;
  return { text, warning: `not UTF-8: about ${replaced} characters replaced by U+FFFD, the first at byte ${low}` };
}

/** Whether the first `length` bytes are UTF-8, or would be but for a character cut at their end. */
function validPrefix(bytes: Buffer, length: number): boolean {
  for (let cut = 0; cut < 4 && cut <= length; cut += 1) {
    if (isUtf8(bytes.subarray(0, length - cut))) return cut === 0 || isCut(bytes.subarray(length - cut, length));
  }
  return false;
}

/** Whether bytes are the beginning of a longer character. */
function isCut(bytes: Buffer): boolean {
  const lead = bytes[0] ?? 0;
  const needed = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 ? 3 : 2;
  return (
    lead >= 0xc2 && lead <= 0xf4 && bytes.length < needed && bytes.subarray(1).every((byte) => (byte & 0xc0) === 0x80)
  );
}
