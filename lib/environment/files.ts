import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { refuse } from "./refused";

/** Bounds of one task directory. */
export const MAX_FILES = 20_000;
export const MAX_BYTES = 512 * 1024 ** 2;

/** A file of a task directory. `path` is relative, with "/" between its parts. */
export interface EnvironmentFile {
  path: string;
  kind: "file" | "link";
  bytes: number;
  executable: boolean;
  /** Target of a symbolic link, else null. */
  target: string | null;
}

/** Never part of a task: version control, and what desktops leave behind. */
const IGNORED = new Set([".git", ".hg", ".svn", ".DS_Store", "__pycache__"]);

function link(root: string, relative: string): EnvironmentFile {
  const full = path.join(root, relative);
  const target = fs.readlinkSync(full);
  const to = path.resolve(path.dirname(full), target);
  if (path.isAbsolute(target) || (to !== root && !to.startsWith(root + path.sep)))
    refuse(full, null, `the link points outside the task directory (${target}); replace it by the file itself`);
  return { path: relative, kind: "link", bytes: 0, executable: false, target };
}

/**
 * All files of a task directory in the order of their names, links not followed. Throws EnvironmentRefused for links
 * that lead outside, special files, and directories over MAX_FILES or MAX_BYTES.
 */
export function listFiles(root: string): EnvironmentFile[] {
  const base = path.resolve(root);
  const found: EnvironmentFile[] = [];
  let bytes = 0;
  const walk = (folder: string) => {
    for (const entry of fs.readdirSync(path.join(base, folder), { withFileTypes: true })) {
      if (IGNORED.has(entry.name)) continue;
      const relative = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const full = path.join(base, relative);
      if (entry.isDirectory()) {
        walk(relative);
        continue;
      }
      if (entry.isSymbolicLink()) found.push(link(base, relative));
      else if (entry.isFile()) {
        const stat = fs.statSync(full);
        bytes += stat.size;
        found.push({
          path: relative,
          kind: "file",
          bytes: stat.size,
          executable: (stat.mode & 0o111) !== 0,
          target: null,
        });
      } else refuse(full, null, "it is neither file, folder nor link; a task directory holds only these");
      if (found.length > MAX_FILES) refuse(base, null, `it has more than ${MAX_FILES} files; is it a task directory?`);
      if (bytes > MAX_BYTES) refuse(base, null, `its files are larger than ${MAX_BYTES / 1024 ** 2} MB together`);
    }
  };
  walk("");
  return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/**
 * Hex SHA-256 over names, kinds, executable bits and contents. Of a mode only "may be executed" counts, as in Git:
 * the rest differs with the umask of whoever checked the files out.
 */
export function digestOf(root: string, files: readonly EnvironmentFile[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const content =
      file.kind === "link"
        ? Buffer.from(file.target ?? "", "utf8")
        : fs.readFileSync(path.join(/*turbopackIgnore: true*/ root, file.path));
    hash.update(`${file.kind === "link" ? "l" : file.executable ? "x" : "f"} ${content.byteLength} ${file.path}\0`);
    hash.update(content);
  }
  return hash.digest("hex");
}

/** A text file of a task directory; null when it is not there. Refused over `limit` bytes. */
export function readText(file: string, limit = 4 * 1024 ** 2): string | null {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return null;
  if (stat.size > limit) refuse(file, null, `it has ${stat.size} bytes; at most ${limit} are read`);
  return fs.readFileSync(file, "utf8");
}
