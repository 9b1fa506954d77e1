import type { StreamText } from "./observation";

/** Bytes kept of each end of a stream. What lies between is counted, not kept. */
export const KEPT_BYTES = 1024 ** 2;

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Keeps the first and the last KEPT_BYTES of a stream and counts the rest in bytes and characters. */
export class Capture {
  bytes = 0;
  private head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private lostChars = 0;
  private lostDecoder: TextDecoder | null = null;

  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    let rest = chunk;
    if (this.headBytes < KEPT_BYTES) {
      const part = rest.subarray(0, KEPT_BYTES - this.headBytes);
      this.head.push(Buffer.from(part));
      this.headBytes += part.length;
      rest = rest.subarray(part.length);
    }
    if (rest.length === 0) return;
    this.tail.push(Buffer.from(rest));
    this.tailBytes += rest.length;
    // Dropped in big steps, so that a long stream is not copied again and again.
    if (this.tailBytes > 4 * KEPT_BYTES) this.dropFromTail(this.tailBytes - KEPT_BYTES);
  }

  private dropFromTail(n: number): void {
    const all = Buffer.concat(this.tail);
    let cut = n;
    // Do not cut inside a character: step over continuation bytes.
    while (cut < all.length && ((all[cut] ?? 0) & 0xc0) === 0x80) cut++;
    this.lose(all.subarray(0, cut));
    this.tail = [all.subarray(cut)];
    this.tailBytes = all.length - cut;
  }

  private lose(bytes: Buffer): void {
    this.lostDecoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    for (const _ of this.lostDecoder.decode(bytes, { stream: true })) this.lostChars++;
  }

  /** The text so far. Broken UTF-8 is U+FFFD. */
  text(): StreamText {
    if (this.tailBytes > KEPT_BYTES) this.dropFromTail(this.tailBytes - KEPT_BYTES);
    const decode = (b: Buffer) => DECODER.decode(b);
    if (this.lostDecoder === null) {
      return { head: decode(Buffer.concat([...this.head, ...this.tail])), lostChars: 0, tail: "" };
    }
    return {
      head: decode(Buffer.concat(this.head)),
      lostChars: this.lostChars,
      tail: decode(Buffer.concat(this.tail)),
    };
  }
}

/** A stream in one string, with a line that says how much is missing when it was too long to keep. */
export function keptText(text: StreamText): string {
  return text.lostChars === 0
    ? text.head + text.tail
    : `${text.head}\n[${text.lostChars} characters not kept]\n${text.tail}`;
}
