import { createHash, type Hash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const byName = (a: fs.Dirent, b: fs.Dirent) => (a.name < b.name ? -1 : 1);

/** Every entry below a folder, folders before what is in them, by name; links are not followed. */
function* entries(dir: string, below = ""): Generator<[relative: string, entry: fs.Dirent]> {
  for (const entry of fs.readdirSync(path.join(dir, below), { withFileTypes: true }).sort(byName)) {
    const relative = path.posix.join(below, entry.name);
    yield [relative, entry];
    if (entry.isDirectory()) yield* entries(dir, relative);
  }
}

function addContent(hash: Hash, file: string): void {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  const buffer = Buffer.allocUnsafe(256 * 1024);
  try {
    for (let n = fs.readSync(fd, buffer); n > 0; n = fs.readSync(fd, buffer)) hash.update(buffer.subarray(0, n));
  } finally {
    fs.closeSync(fd);
  }
}

/** SHA-256 over names, kinds, modes, link targets and contents of all files. Times and owners do not count. */
export function treeDigest(dir: string): string {
  const hash = createHash("sha256");
  for (const [relative, entry] of entries(dir)) {
    const full = path.join(dir, relative);
    const stat = fs.lstatSync(full);
    hash.update(`${relative}\0${stat.mode.toString(8)}\0`);
    if (entry.isSymbolicLink()) hash.update(fs.readlinkSync(full));
    else if (entry.isFile()) addContent(hash, full);
    hash.update("\0");
  }
  return hash.digest("hex");
}

/** Gives a folder and all below it to `id`. Links are not followed; what has it already is not touched. */
export function giveTree(dir: string, id: number): void {
  const give = (file: string) => {
    const stat = fs.lstatSync(file);
    if (stat.uid === id && stat.gid === id) return;
    fs.lchownSync(file, id, id);
    // Changing the owner takes set-id bits away; the mode is to stay as it is, without them.
    if (!stat.isSymbolicLink()) fs.chmodSync(file, stat.mode & 0o1777);
  };
  give(dir);
  for (const [relative] of entries(dir)) give(path.join(dir, relative));
}

/** Changes when anything was added, removed or renamed below a folder. Looks at folders only. */
export function folderSignature(dir: string): string {
  const hash = createHash("sha256");
  const walk = (folder: string) => {
    const stat = fs.lstatSync(folder, { bigint: true });
    hash.update(`${folder}\0${stat.ino}\0${stat.ctimeNs}\0`);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort(byName)) {
      if (entry.isDirectory()) walk(path.join(folder, entry.name));
    }
  };
  walk(dir);
  return hash.digest("hex");
}

/** Modification time of everything Misstep puts into a root file system, so that listings are the same on every start. */
export const FIXED_TIME = new Date(Date.UTC(2024, 0, 1));

/** Gives everything below `folder`, and itself, that time. Links are not followed. */
export function fixTimes(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) fixTimes(full);
    else fs.lutimesSync(full, FIXED_TIME, FIXED_TIME);
  }
  fs.utimesSync(folder, FIXED_TIME, FIXED_TIME);
}
