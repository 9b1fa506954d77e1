import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { constants, gunzipSync } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { MAX_DOCUMENT_BYTES } from "@/lib/trajectory/json";
import { byName, ioReason, tooLarge } from "./disk";
import { type FileEntry, type FileSet, ReadError } from "./file-set";
import { MAX_ARCHIVE_BYTES, MAX_ARCHIVE_ENTRIES, MAX_TAR_GZ_BYTES, unsafeName } from "./limits";

interface Listing {
  members: Map<string, { bytes: number; at: number }>;
  problems: { name: string; reason: string; hint: string | null }[];
  /** The unpacked archive when it was compressed; else it is read from the file. */
  data: Buffer | null;
}

const CUT = "If it was being written or copied, fetch it again; what is whole was imported.";

/** Files of a tar archive, plain (read at random) or gzipped (held unpacked in memory up to a limit). */
export class TarFiles implements FileSet {
  private listing: Promise<Listing> | null = null;

  constructor(
    private readonly file: string,
    private readonly gzipped: boolean,
  ) {}

  private list(): Promise<Listing> {
    this.listing ??= listTar(this.file, this.gzipped);
    return this.listing;
  }

  async entries(): Promise<FileEntry[]> {
    const { members } = await this.list();
    return [...members].map(([name, { bytes }]) => ({ name, bytes })).sort(byName);
  }

  async problems(): Promise<Listing["problems"]> {
    return (await this.list()).problems;
  }

  private async part(name: string, length: number, from = 0): Promise<Buffer> {
    const { members, data } = await this.list();
    const member = members.get(name);
    if (!member) throw new ReadError("the archive has no such entry");
    const count = Math.min(length, member.bytes - from);
    if (data) return data.subarray(member.at + from, member.at + from + count);
    const descriptor = openSync(this.file, "r");
    try {
      const buffer = Buffer.allocUnsafe(count);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, count, member.at + from));
    } catch (error) {
      throw new ReadError(ioReason(error));
    } finally {
      closeSync(descriptor);
    }
  }

  async read(name: string): Promise<Buffer> {
    const bytes = (await this.list()).members.get(name)?.bytes ?? 0;
    if (bytes > MAX_DOCUMENT_BYTES) throw tooLarge(bytes);
    return this.part(name, bytes);
  }

  head(name: string, length: number): Promise<Buffer> {
    return this.part(name, length);
  }

  async *stream(name: string): AsyncGenerator<Buffer> {
    const bytes = (await this.list()).members.get(name)?.bytes ?? 0;
    for (let from = 0; from < bytes; from += 1 << 20) yield await this.part(name, 1 << 20, from);
  }
}

async function listTar(file: string, gzipped: boolean): Promise<Listing> {
  const size = statSync(file).size;
  const problems: Listing["problems"] = [];
  const data = gzipped ? gunzip(file, size) : null;
  if (data && data.length >= 262 && data.toString("latin1", 257, 262) !== "ustar") {
    throw new ReadError("the gzip file holds no tar archive", "Gunzip it and import the file inside.");
  }
  const total = data?.length ?? size;
  const members: Listing["members"] = new Map();
  let unpacked = 0;
  const reader = extract();
  const input = data ? Readable.from(pieces(data)) : createReadStream(file, { highWaterMark: 1 << 20 });
  let failure: string | null = null;
  await new Promise<void>((resolve) => {
    const stop = (error?: Error | null) => {
      if (error) failure = error.message;
      resolve();
    };
    reader.on("entry", (header, body, next) => {
      body.on("end", next);
      body.on("error", stop);
      body.resume();
      const at = (header as Header & { byteOffset: number }).byteOffset;
      const bytes = header.size ?? 0;
      unpacked += bytes;
      if (members.size + problems.length > MAX_ARCHIVE_ENTRIES)
        reader.destroy(new Error(`more than ${MAX_ARCHIVE_ENTRIES} entries`));
      else if (unpacked > MAX_ARCHIVE_BYTES)
        reader.destroy(new Error("the entries are larger than what is read from one archive"));
      else if (header.type === "file" || header.type === "contiguous-file") {
        const name = header.name.replace(/^(\.\/)+/, "");
        const reason = unsafeName(name) ?? (at + bytes > total ? "the archive ends inside this entry" : null);
        if (reason) problems.push({ name: header.name, reason, hint: at + bytes > total ? CUT : null });
        else members.set(name, { bytes, at });
      } else if (header.type !== "directory") {
        problems.push({ name: header.name, reason: `the entry is a ${header.type}`, hint: null });
      }
    });
    reader.on("finish", () => stop());
    reader.on("close", () => stop());
    reader.on("error", stop);
    input.on("error", stop);
    input.pipe(reader);
  });
  input.destroy();
  if (failure !== null && members.size === 0) throw new ReadError(`not a readable tar archive: ${failure}`);
  if (failure !== null)
    problems.push({
      name: "",
      reason: `the tar archive is broken or cut (${failure}); read the ${members.size} whole entries before that`,
      hint: CUT,
    });
  if (members.size === 0 && problems.length === 0 && total < 1024)
    throw new ReadError("not a readable tar archive: it is cut in its first entry");
  return { members, problems, data };
}

function* pieces(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += 1 << 20) yield data.subarray(at, at + (1 << 20));
}

function gunzip(file: string, size: number): Buffer {
  if (size > MAX_TAR_GZ_BYTES) throw large();
  try {
    return gunzipSync(readFileSync(file), { maxOutputLength: MAX_TAR_GZ_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw large();
    throw new ReadError(`not readable as gzip: ${ioReason(error)}`);
  }
}

function large(): ReadError {
  return new ReadError(
    `a .tar.gz that unpacks to more than ${MAX_TAR_GZ_BYTES / 1024 ** 2} MiB is not read`,
    "It cannot be read at random: gunzip it to a plain .tar, pack it as .zip, or import the unpacked folder.",
  );
}
