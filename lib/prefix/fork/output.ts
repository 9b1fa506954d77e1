import { cut } from "@/lib/trajectory/prepare";

/** Bytes of terminal output kept for a page that connects late or again. */
const KEPT = 512 * 1024;

/** The last part of a stream of bytes; positions count from its beginning. */
export class OutputTail {
  private parts: Buffer[] = [];
  private first = 0;
  /** Position after the last byte. */
  end = 0;

  push(data: Buffer): void {
    this.parts.push(data);
    this.end += data.byteLength;
    while (this.end - this.first > KEPT) {
      const [oldest] = this.parts;
      if (!oldest || this.end - this.first - oldest.byteLength < KEPT / 2) break;
      this.first += oldest.byteLength;
      this.parts.shift();
    }
  }

  /** At most `limit` bytes from `position` on; `lost` bytes before them are not kept any more. */
  from(position: number, limit: number): { data: Buffer; next: number; lost: number } {
    const start = Math.min(Math.max(position, this.first), this.end);
    const all = Buffer.concat(this.parts).subarray(start - this.first, start - this.first + limit);
    return { data: all, next: start + all.byteLength, lost: start - Math.min(position, start) };
  }
}

/** Characters of one command's output that are stored; of longer ones the beginning and the end. */
const STORED = 1_000_000;

/** The end of `text`, never beginning inside a surrogate pair. */
function lastOf(text: string): string {
  const tail = text.slice(-STORED / 2);
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
}

/** Gathers the output of a command up to a size; what was left out is said in its place. */
export class CommandOutput {
  private head = "";
  private tail = "";
  private length = 0;

  push(text: string): void {
    this.length += text.length;
    // Once something is in the tail, nothing more goes into the head.
    const first = this.tail === "" ? cut(text, Math.max(STORED / 2 - this.head.length, 0)) : "";
    this.head += first;
    this.tail += text.slice(first.length);
    if (this.tail.length > STORED) this.tail = lastOf(this.tail);
  }

  text(): string {
    const tail = this.tail.length > STORED / 2 ? lastOf(this.tail) : this.tail;
    const cut = this.length - this.head.length - tail.length;
    return cut === 0 ? this.head + tail : `${this.head}\n[${cut} characters left out]\n${tail}`;
  }
}
