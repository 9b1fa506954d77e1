/**
 * Frames between the sandbox host and its clients: two 32-bit lengths, a JSON head, a binary body.
 * Bodies carry commands, file contents and terminal output byte for byte.
 */
export interface Frame {
  head: Record<string, unknown>;
  body: Buffer;
}

/** Largest frame that is accepted; files over it are refused by name before they are sent. */
export const MAX_FRAME = 512 * 1024 ** 2;
const EMPTY = Buffer.alloc(0);

export function encodeFrame(head: object, body: Buffer = EMPTY): Buffer[] {
  const json = Buffer.from(JSON.stringify(head), "utf8");
  const lengths = Buffer.allocUnsafe(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return body.length === 0 ? [Buffer.concat([lengths, json])] : [Buffer.concat([lengths, json]), body];
}

/** Collects chunks and hands out whole frames. Throws on a frame over MAX_FRAME: the connection is then of no more use. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private size = 0;

  push(chunk: Buffer): Frame[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (this.size < 8) return frames;
      const start = this.peek(8);
      const json = start.readUInt32BE(0);
      const body = start.readUInt32BE(4);
      if (json + body > MAX_FRAME) throw new Error(`frame of ${json + body} bytes refused`);
      if (this.size < 8 + json + body) return frames;
      const whole = this.take(8 + json + body);
      frames.push({
        head: JSON.parse(whole.toString("utf8", 8, 8 + json)) as Record<string, unknown>,
        body: whole.subarray(8 + json),
      });
    }
  }

  private peek(n: number): Buffer {
    const first = this.chunks[0];
    if (first && first.length >= n) return first;
    this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? EMPTY;
  }

  private take(n: number): Buffer {
    const all = this.chunks.length === 1 ? (this.chunks[0] ?? EMPTY) : Buffer.concat(this.chunks);
    const rest = all.subarray(n);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return all.subarray(0, n);
  }
}
