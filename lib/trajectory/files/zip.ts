import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { constants, createInflateRaw, inflateRawSync } from "node:zlib";
import { Decompress } from "fzstd";
import yauzl from "yauzl";
import { MAX_DOCUMENT_BYTES } from "@/lib/trajectory/json";
import { byName, ioReason, tooLarge } from "./disk";
import { type FileEntry, type FileSet, ReadError } from "./file-set";
import {
  MAX_ARCHIVE_BYTES,
  MAX_ARCHIVE_ENTRIES,
  MAX_ENTRY_BYTES,
  MAX_RATIO,
  RATIO_FROM_BYTES,
  TOTAL_RATIO_FROM_BYTES,
  unsafeName,
} from "./limits";
import { salvage } from "./zip-salvage";

export interface ZipMember {
  name: string;
  method: number;
  packed: number;
  bytes: number;
  /** Offset of its local header. */
  at: number;
  encrypted: boolean;
  link: boolean;
}

interface Listing {
  members: Map<string, ZipMember>;
  problems: { name: string; reason: string; hint: string | null }[];
}

/** Files of a zip archive (stored, deflate, zstd), bounded in size, ratio, count and path. */
export class ZipFiles implements FileSet {
  private listing: Promise<Listing> | null = null;

  constructor(private readonly file: string) {}

  private list(): Promise<Listing> {
    this.listing ??= listZip(this.file);
    return this.listing;
  }

  async entries(): Promise<FileEntry[]> {
    const { members } = await this.list();
    return [...members.values()].map(({ name, bytes }) => ({ name, bytes })).sort(byName);
  }

  async problems(): Promise<Listing["problems"]> {
    return (await this.list()).problems;
  }

  private async member(name: string): Promise<ZipMember> {
    const member = (await this.list()).members.get(name);
    if (!member) throw new ReadError("the archive has no such entry");
    return member;
  }

  async read(name: string): Promise<Buffer> {
    const member = await this.member(name);
    if (member.bytes > MAX_DOCUMENT_BYTES) throw tooLarge(member.bytes);
    return unpack(member, rawBytes(this.file, member));
  }

  async head(name: string, length: number): Promise<Buffer> {
    const member = await this.member(name);
    if (member.bytes <= 1 << 20 || member.method === 93) return (await this.read(name)).subarray(0, length);
    const raw = rawBytes(this.file, { ...member, packed: Math.min(member.packed, length + 1024) });
    if (member.method === 0) return raw.subarray(0, length);
    return inflateRawSync(raw, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 24 }).subarray(0, length);
  }

  async *stream(name: string): AsyncGenerator<Buffer> {
    const member = await this.member(name);
    if (member.bytes <= 1 << 24 || member.method === 93) {
      yield await this.read(name);
      return;
    }
    const start = dataStart(this.file, member);
    const raw = createReadStream(this.file, { start, end: start + member.packed - 1, highWaterMark: 1 << 18 });
    let total = 0;
    const source = member.method === 0 ? raw : raw.pipe(createInflateRaw());
    raw.on("error", (error) => source.destroy(error));
    for await (const piece of source) {
      const bytes = piece as Buffer;
      total += bytes.length;
      if (total > member.bytes) throw new ReadError("the entry unpacks to more than it states");
      yield bytes;
    }
  }
}

async function listZip(file: string): Promise<Listing> {
  const size = statSync(file).size;
  const found: ZipMember[] = [];
  const problems: Listing["problems"] = [];
  try {
    const zip = await yauzl.openPromise(file, {
      lazyEntries: true,
      autoClose: true,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    if (zip.entryCount > MAX_ARCHIVE_ENTRIES) {
      zip.close();
      throw new ReadError(
        `the archive has ${zip.entryCount} entries; at most ${MAX_ARCHIVE_ENTRIES} are read`,
        "Unpack it and import the folder.",
      );
    }
    for await (const entry of zip.eachEntry()) found.push(memberOf(entry));
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const { members, stopped } = salvage(file, size);
    const reason = error instanceof Error ? error.message : String(error);
    if (members.length === 0 && found.length === 0)
      throw new ReadError(
        `not a readable zip archive: ${reason}`,
        "If it was being written or copied, fetch it again.",
      );
    problems.push({
      name: "",
      reason: `the zip archive has no complete directory (${reason}); read the ${members.length} whole entries before byte ${stopped}`,
      hint: "If it was being written or copied, fetch it again; what is whole was imported.",
    });
    found.splice(0, found.length, ...members);
  }
  return check(found, problems, size);
}

function memberOf(entry: yauzl.Entry): ZipMember {
  const raw = entry.fileName as unknown as Buffer;
  return {
    name: Buffer.isBuffer(raw) ? raw.toString("utf8") : String(raw),
    method: entry.compressionMethod,
    packed: entry.compressedSize,
    bytes: entry.uncompressedSize,
    at: entry.relativeOffsetOfLocalHeader,
    encrypted: (entry.generalPurposeBitFlag & 1) === 1,
    link: ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000,
  };
}

/** Keeps what is safe to read, and says why of the rest. */
function check(found: ZipMember[], problems: Listing["problems"], size: number): Listing {
  const members = new Map<string, ZipMember>();
  let total = 0;
  let packed = 0;
  for (const member of found) {
    if (member.name.endsWith("/")) continue;
    const reason = problemOf(member);
    if (reason) {
      problems.push({ name: member.name, reason, hint: null });
      continue;
    }
    total += member.bytes;
    packed += member.packed;
    if (members.has(member.name)) {
      problems.push({
        name: member.name,
        reason: "the archive holds this name twice; the last one is read",
        hint: null,
      });
    }
    members.set(member.name, member);
  }
  if (total > MAX_ARCHIVE_BYTES) {
    throw new ReadError(
      `the archive unpacks to ${Math.round(total / 1024 ** 3)} GiB; at most ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB is read`,
      "Unpack it and import the folder.",
    );
  }
  if (total > TOTAL_RATIO_FROM_BYTES && total > packed * MAX_RATIO) {
    throw new ReadError(
      `the archive grows ${Math.round(total / Math.max(1, packed))} times when unpacked; at most ${MAX_RATIO} times is read (zip bomb)`,
    );
  }
  if (packed > size) throw new ReadError("the archive's entries overlap (a zip bomb)");
  return { members, problems };
}

function problemOf(member: ZipMember): string | null {
  const unsafe = unsafeName(member.name);
  if (unsafe) return unsafe;
  if (member.link) return "the entry is a symbolic link";
  if (member.encrypted) return "the entry is encrypted";
  if (![0, 8, 93].includes(member.method))
    return `compression method ${member.method} is not supported (stored, deflate and zstd are)`;
  if (member.bytes > MAX_ENTRY_BYTES)
    return `the entry unpacks to ${Math.round(member.bytes / 1024 ** 2)} MiB; at most ${MAX_ENTRY_BYTES / 1024 ** 2} MiB is read`;
  if (member.bytes > RATIO_FROM_BYTES && member.bytes > member.packed * MAX_RATIO) {
    return `the entry grows ${Math.round(member.bytes / Math.max(1, member.packed))} times when unpacked; at most ${MAX_RATIO} times is read (zip bomb)`;
  }
  return null;
}

function readAt(file: string, at: number, length: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, at));
  } catch (error) {
    throw new ReadError(ioReason(error));
  } finally {
    closeSync(descriptor);
  }
}

function dataStart(file: string, member: ZipMember): number {
  const header = readAt(file, member.at, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new ReadError("the entry's header is broken");
  return member.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function rawBytes(file: string, member: ZipMember): Buffer {
  const raw = readAt(file, dataStart(file, member), member.packed);
  if (raw.length < member.packed)
    throw new ReadError("the archive ends inside this entry", "If it was being written or copied, fetch it again.");
  return raw;
}

function unpack(member: ZipMember, raw: Buffer): Buffer {
  if (member.method === 0) return raw;
  try {
    if (member.method === 8) return inflateRawSync(raw, { maxOutputLength: Math.max(1, member.bytes) });
    const pieces: Uint8Array[] = [];
    let total = 0;
    const zstd = new Decompress((piece) => {
      total += piece.length;
      if (total > member.bytes) throw new ReadError("the entry unpacks to more than it states");
      pieces.push(piece);
    });
    zstd.push(raw, true);
    if (total < member.bytes) throw new ReadError("the entry unpacks to less than it states");
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const over = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new ReadError(
      over ? "the entry unpacks to more than it states" : `the entry's data is broken: ${ioReason(error)}`,
    );
  }
}
