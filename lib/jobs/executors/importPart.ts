import "server-only";
import type { Read } from "./importRead";

/**
 * A part as it goes from a thread to the writer: JSON and the packed bytes, which are moved. Copying the rows of steps
 * as nested arrays costs the writer several times more. All numbers in it are finite.
 */
export interface Part {
  json: string;
  /** In order: the chunks of each trajectory, then its detail. */
  buffers: ArrayBuffer[];
}

/** Bytes as a buffer of their own. */
const own = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  buffer instanceof ArrayBuffer && byteLength === buffer.byteLength
    ? buffer
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);

const NONE = new Uint8Array(0);

/** Takes the bytes out of what was read: `reads` is of no use afterwards. */
export function encodePart(reads: Read[]): Part {
  const buffers: ArrayBuffer[] = [];
  for (const read of reads) {
    if (read.kind !== "trajectory") continue;
    const { prepared } = read;
    for (const chunk of prepared.chunks) {
      buffers.push(own(chunk.data));
      chunk.data = NONE;
    }
    buffers.push(own(prepared.detail));
    prepared.detail = NONE;
  }
  return { json: JSON.stringify(reads), buffers };
}

/** Inverse of `encodePart`. */
export function decodePart({ json, buffers }: Part): Read[] {
  const reads = JSON.parse(json) as Read[];
  let next = 0;
  const take = (): Buffer => {
    const buffer = buffers[next++];
    if (!buffer) throw new Error("a thread sent a trajectory without its texts");
    return Buffer.from(buffer);
  };
  for (const read of reads) {
    if (read.kind !== "trajectory") continue;
    for (const chunk of read.prepared.chunks) chunk.data = take();
    read.prepared.detail = take();
  }
  return reads;
}
