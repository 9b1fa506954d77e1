import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { discover } from "./discover";
import { readUnit } from "./read";
import type { Trajectory } from "./types";
import type { Discovered, ReadResult, Refusal, Skip } from "./unit";

/** Help for tests: files in a folder of their own (gone when the run of the tests ends), and what import makes of them. */
export function scratch(files: Record<string, string | Buffer | object> = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), "misstep-test-"));
  for (const [name, content] of Object.entries(files)) put(root, name, content);
  return root;
}

export function put(root: string, name: string, content: string | Buffer | object): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
}

export interface Imported {
  found: Discovered[];
  results: ReadResult[];
  trajectories: Trajectory[];
  hashes: string[];
  refused: Refusal[];
  skipped: Skip[];
}

/** Discovers and reads everything below `root`. */
export async function importAll(root: string): Promise<Imported> {
  const all: Imported = { found: [], results: [], trajectories: [], hashes: [], refused: [], skipped: [] };
  for await (const item of discover(root)) {
    all.found.push(item);
    if (item.kind === "refused") all.refused.push(item.refusal);
    if (item.kind === "skipped") all.skipped.push(item.skip);
    if (item.kind !== "unit") continue;
    for await (const result of readUnit(item.unit, root)) {
      all.results.push(result);
      if (result.kind === "refused") all.refused.push(result.refusal);
      if (result.kind === "skipped") all.skipped.push(result.skip);
      if (result.kind !== "trajectory") continue;
      all.trajectories.push(result.trajectory);
      all.hashes.push(result.hash);
    }
  }
  return all;
}

/** Imports one document under a name that says nothing. */
export async function importOne(content: string | Buffer | object, name = "document.json"): Promise<Imported> {
  return importAll(scratch({ [name]: content }));
}

export interface ZipEntry {
  name: string;
  data: Buffer;
  /** 0 stored, 8 deflate (default), 93 zstd (data is packed by us in raw blocks). */
  method?: 0 | 8 | 93;
  /** Uncompressed size to state, when it is a lie. */
  stated?: number;
  link?: boolean;
}

/** A zip archive, byte by byte, so that tests can lie in it. */
export function zip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(entry.data) : method === 93 ? zstd(entry.data) : entry.data;
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(typeof crc32 === "function" ? crc32(entry.data) : 0, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.stated ?? entry.data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name, packed]);
    const rest = Buffer.alloc(14);
    if (entry.link) rest.writeUInt32LE((0o120777 << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), common, rest, name]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A zstd frame of uncompressed blocks. */
function zstd(data: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  head[4] = 0xa0;
  head.writeUInt32LE(data.length, 5);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < data.length; at += 100_000) {
    const piece = data.subarray(at, at + 100_000);
    const mark = (piece.length << 3) | (at + 100_000 >= data.length ? 1 : 0);
    blocks.push(Buffer.from([mark & 255, (mark >> 8) & 255, mark >> 16]), piece);
  }
  return Buffer.concat([head, ...blocks]);
}
