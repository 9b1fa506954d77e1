import { closeSync, openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { MAX_ARCHIVE_ENTRIES, MAX_ENTRY_BYTES } from "./limits";
import type { ZipMember } from "./zip";

const LOCAL = 0x04034b50;

/**
 * Finds the whole entries of a zip archive that lost its directory (a run that crashed, a cut download), by walking
 * the local headers from the start. `stopped` is the byte where that ends.
 */
export function salvage(file: string, size: number): { members: ZipMember[]; stopped: number } {
  const members: ZipMember[] = [];
  const descriptor = openSync(file, "r");
  let at = 0;
  try {
    const header = Buffer.alloc(30);
    while (members.length < MAX_ARCHIVE_ENTRIES) {
      if (readSync(descriptor, header, 0, 30, at) < 30 || header.readUInt32LE(0) !== LOCAL) break;
      const names = Buffer.alloc(header.readUInt16LE(26) + header.readUInt16LE(28));
      readSync(descriptor, names, 0, names.length, at + 30);
      const start = at + 30 + names.length;
      const flags = header.readUInt16LE(6);
      let packed = header.readUInt32LE(18);
      let bytes = header.readUInt32LE(22);
      ({ packed, bytes } = zip64(names.subarray(header.readUInt16LE(26)), packed, bytes));
      let next = start + packed;
      const method = header.readUInt16LE(8);
      if ((flags & 8) !== 0 && packed === 0) {
        const streamed =
          method === 8 ? inflateUnknown(descriptor, start, Math.min(size - start, MAX_ENTRY_BYTES)) : null;
        if (!streamed) break;
        ({ packed, bytes } = streamed);
        next = afterDescriptor(descriptor, start + packed);
      }
      if (start + packed > size) break;
      const name = names.subarray(0, header.readUInt16LE(26)).toString("utf8");
      members.push({ name, method, packed, bytes, at, encrypted: (flags & 1) === 1, link: false });
      at = next;
    }
  } finally {
    closeSync(descriptor);
  }
  return { members, stopped: at };
}

/** Sizes that do not fit 32 bits stand in an extra field. */
function zip64(extra: Buffer, packed: number, bytes: number): { packed: number; bytes: number } {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1 || at + 20 > extra.length) continue;
    if (bytes === 0xffffffff) bytes = Number(extra.readBigUInt64LE(at + 4));
    if (packed === 0xffffffff) packed = Number(extra.readBigUInt64LE(at + 12));
  }
  return { packed, bytes };
}

/** Length of a deflate stream whose header does not state it; null when it does not end before the file does. */
function inflateUnknown(descriptor: number, start: number, limit: number): { packed: number; bytes: number } | null {
  const raw = Buffer.allocUnsafe(limit);
  const length = readSync(descriptor, raw, 0, limit, start);
  try {
    const { buffer, engine } = inflateRawSync(raw.subarray(0, length), {
      info: true,
      maxOutputLength: MAX_ENTRY_BYTES,
    } as object) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { packed: engine.bytesWritten, bytes: buffer.length };
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function afterDescriptor(descriptor: number, at: number): number {
  const mark = Buffer.alloc(4);
  readSync(descriptor, mark, 0, 4, at);
  return at + (mark.readUInt32LE(0) === 0x08074b50 ? 16 : 12);
}
