import { statSync } from "node:fs";
import { headOf } from "./disk";
import type { FileSet } from "./file-set";
import { TarFiles } from "./tar";
import { ZipFiles } from "./zip";

export type ArchiveKind = "zip" | "tar" | "tar.gz";

/** What kind of archive the first 512 bytes of a file show; null when none. */
export function archiveKind(head: Buffer, name: string): ArchiveKind | null {
  if (
    head.length >= 4 &&
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))
  )
    return "zip";
  if (head[0] === 0x1f && head[1] === 0x8b) return "tar.gz";
  if (head.length >= 262 && head.toString("latin1", 257, 262) === "ustar") return "tar";
  if (/\.tar$/i.test(name)) return "tar";
  if (/\.zip$|\.eval$/i.test(name)) return "zip";
  if (/\.t(ar\.)?gz$/i.test(name)) return "tar.gz";
  return null;
}

/** Other archives, by their first bytes: named in the refusal. */
export function foreignArchive(head: Buffer): string | null {
  const start = head.toString("latin1", 0, 6);
  if (start.startsWith("7z\xbc\xaf")) return "7z";
  if (start.startsWith("\xfd7zXZ")) return "xz";
  if (start.startsWith("BZh")) return "bzip2";
  if (start.startsWith("Rar!")) return "rar";
  if (start.startsWith("\x28\xb5\x2f\xfd")) return "zstd";
  return null;
}

let last: { stamp: string; files: FileSet } | null = null;

/** The files of an archive. The one opened last is kept open, listing and all, as units come from it one after another. */
export function openArchive(file: string): FileSet {
  const stat = statSync(file);
  const stamp = `${file}\0${stat.mtimeMs}\0${stat.size}\0${stat.ino}`;
  if (last?.stamp === stamp) return last.files;
  const kind = archiveKind(headOf(file, 512), file);
  const files = kind === "tar" || kind === "tar.gz" ? new TarFiles(file, kind === "tar.gz") : new ZipFiles(file);
  last = { stamp, files };
  return files;
}
