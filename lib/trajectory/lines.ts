import { ReadError } from "./files/file-set";
import { MAX_DOCUMENT_BYTES } from "./json";

/** Lines of a byte stream without their line feed, numbered from 1. `ended` is false for a last line that has none. */
export async function* lines(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<{ number: number; bytes: Buffer; ended: boolean }> {
  let number = 0;
  let rest: Buffer[] = [];
  let size = 0;
  for await (const piece of stream) {
    let from = 0;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, from)) {
      rest.push(piece.subarray(from, at));
      number += 1;
      yield { number, bytes: rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest), ended: true };
      rest = [];
      size = 0;
      from = at + 1;
    }
    if (from < piece.length) {
      rest.push(piece.subarray(from));
      size += piece.length - from;
      if (size > MAX_DOCUMENT_BYTES) {
        throw new ReadError(
          `line ${number + 1} is longer than ${MAX_DOCUMENT_BYTES / 1024 ** 2} MiB`,
          null,
          `line ${number + 1}`,
        );
      }
    }
  }
  if (rest.length > 0)
    yield { number: number + 1, bytes: rest.length === 1 ? (rest[0] as Buffer) : Buffer.concat(rest), ended: false };
}
