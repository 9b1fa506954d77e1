import fs from "node:fs";

/** A whole line of a file, and where the next one begins. */
export interface Line {
  text: string;
  start: number;
  end: number;
}

const CHUNK = 1024 ** 2;
const FEED = 0x0a;

/**
 * Whole lines from `offset` on. A last line without its line feed is still being written: it is left for the next time.
 * Bytes that are no UTF-8 become replacement characters.
 */
export function* linesFrom(file: string, offset: number): Generator<Line> {
  const fd = fs.openSync(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer[] = [];
    let start = offset;
    for (let at = offset; ; ) {
      const n = fs.readSync(fd, buffer, 0, CHUNK, at);
      if (n === 0) return;
      let from = 0;
      for (let to = buffer.indexOf(FEED); to !== -1 && to < n; to = buffer.indexOf(FEED, from)) {
        const text = Buffer.concat([...rest, buffer.subarray(from, to)]).toString("utf8");
        rest = [];
        from = to + 1;
        yield { text, start, end: at + from };
        start = at + from;
      }
      if (from < n) rest.push(Buffer.from(buffer.subarray(from, n)));
      at += n;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** The text between two bytes of a file. */
export function textBetween(file: string, start: number, end: number): string {
  const fd = fs.openSync(file, "r");
  try {
    const buffer = Buffer.alloc(end - start);
    return buffer.subarray(0, fs.readSync(fd, buffer, 0, buffer.length, start)).toString("utf8");
  } finally {
    fs.closeSync(fd);
  }
}
