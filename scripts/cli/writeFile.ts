import fs from "node:fs";
import path from "node:path";
import { UsageError } from "./output";

/** A folder that a command writes into, made where it is missing. Throws UsageError where something else is in its place. */
export function folderFor(folder: string): string {
  try {
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST" || code === "ENOTDIR")
      throw new UsageError(`${folder} cannot be a folder: a file is in its place; name another`);
    throw error;
  }
  return folder;
}

function writeAll(file: string, pieces: Iterable<string>): void {
  const fd = fs.openSync(file, "w");
  try {
    // Not writeSync: on a disk that is nearly full it writes a part and says nothing.
    for (const piece of pieces) fs.writeFileSync(fd, piece);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Writes a text piece by piece beside the target and renames: a reader never meets half a file, and a failure leaves what
 * was there. What is no plain file (a pipe, /dev/null) is written into, never replaced. Throws UsageError for a folder.
 */
export function writeWhole(given: string, pieces: Iterable<string>): void {
  folderFor(path.dirname(given));
  const there = fs.statSync(given, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${given} is a folder; name a file`);
  if (there && !there.isFile()) {
    writeAll(given, pieces);
    return;
  }
  const file = there ? fs.realpathSync(given) : given;
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeAll(partial, pieces);
    fs.renameSync(partial, file);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
