import {
  closeSync,
  createReadStream,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { MAX_DOCUMENT_BYTES } from "@/lib/trajectory/json";
import { type FileEntry, type FileSet, ReadError } from "./file-set";

/** Order of names: by code unit, so the same everywhere. */
export function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** What went wrong with a file, in words. */
export function ioReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "the file is not there (any more)";
  if (code === "EACCES" || code === "EPERM") return "no permission to read it";
  if (code === "EISDIR") return "it is a folder";
  if (code === "ELOOP") return "its symbolic links form a loop";
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong with an entry of a folder that was just listed. */
export function entryReason(name: string, error: unknown): string {
  return name.includes("\ufffd") ? "its name is not valid UTF-8; rename it" : ioReason(error);
}

/** A file whose size is asked for only when somebody wants to know: a folder of many small files lists faster. */
class DiskEntry implements FileEntry {
  constructor(
    readonly name: string,
    private readonly file: string,
  ) {}

  get bytes(): number {
    return statSync(this.file).size;
  }
}

/** Files below a folder on disk. Symbolic links to folders are not followed. */
export class DiskFiles implements FileSet {
  private list: FileEntry[] | null = null;

  constructor(private readonly folder: string) {}

  async entries(): Promise<FileEntry[]> {
    if (this.list) return this.list;
    const list: FileEntry[] = [];
    const walk = (prefix: string): void => {
      for (const entry of readdirSync(path.join(this.folder, prefix), { withFileTypes: true })) {
        const name = prefix + entry.name;
        if (entry.isDirectory()) walk(`${name}/`);
        else if (entry.isFile()) list.push(new DiskEntry(name, path.join(this.folder, name)));
      }
    };
    walk("");
    this.list = list.sort(byName);
    return list;
  }

  async read(name: string): Promise<Buffer> {
    return readWhole(path.join(this.folder, name));
  }

  async head(name: string, length: number): Promise<Buffer> {
    return headOf(path.join(this.folder, name), length);
  }

  stream(name: string): AsyncIterable<Buffer> {
    return createReadStream(path.join(this.folder, name), { highWaterMark: 1 << 20 });
  }

  async problems(): Promise<[]> {
    return [];
  }
}

/** Whole content of a file on disk. Throws ReadError when it is missing or too large. */
export function readWhole(file: string): Buffer {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, "r");
    const { size } = fstatSync(descriptor);
    if (size > MAX_DOCUMENT_BYTES) throw tooLarge(size);
    const buffer = Buffer.allocUnsafe(size);
    let at = 0;
    for (let count = 1; at < size && count > 0; at += count) count = readSync(descriptor, buffer, at, size - at, at);
    return at === size ? buffer : buffer.subarray(0, at);
  } catch (error) {
    if (error instanceof ReadError) throw error;
    throw new ReadError(ioReason(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

export function tooLarge(bytes: number): ReadError {
  const mega = (count: number) => `${Math.round(count / 1024 ** 2)} MiB`;
  return new ReadError(
    `a single document of ${mega(bytes)}; at most ${mega(MAX_DOCUMENT_BYTES)} is read at once`,
    "Split it into JSON Lines, one trajectory a line: lines are read one by one without this limit on the file.",
  );
}

export function headOf(file: string, length: number): Buffer {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, "r");
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, 0));
  } catch (error) {
    throw new ReadError(ioReason(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Entries of a folder in order of name; symbolic links resolved to what they lead to, or to a reason not to follow. */
export function listFolder(
  folder: string,
): { name: string; kind: "file" | "folder" | "other"; real: string | null; reason: string | null }[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort(byName)
    .map((entry: Dirent) => {
      if (!entry.isSymbolicLink()) {
        const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
        return { name: entry.name, kind, real: null, reason: kind === "other" ? "neither a file nor a folder" : null };
      }
      try {
        const real = realpathSync(path.join(folder, entry.name));
        const stat = statSync(real);
        return {
          name: entry.name,
          kind: stat.isDirectory() ? "folder" : stat.isFile() ? "file" : "other",
          real,
          reason: null,
        };
      } catch (error) {
        return { name: entry.name, kind: "other", real: null, reason: `symbolic link: ${ioReason(error)}` };
      }
    });
}
