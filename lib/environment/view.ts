import "server-only";
import fs from "node:fs";
import path from "node:path";
import { type EnvironmentFile, listFiles } from "./files";
import { filesFolder } from "./home";

/** Bytes of a file that a page shows. */
const MOST = 200_000;

export interface FileView {
  path: string;
  bytes: number;
  /** null: not text. Cut at MOST bytes. */
  text: string | null;
  cut: boolean;
}

/** The kept files of an environment; null when they are gone. */
export function keptFiles(digest: string): EnvironmentFile[] | null {
  const folder = filesFolder(digest);
  return fs.existsSync(folder) ? listFiles(folder) : null;
}

/** The start of a kept file, when `name` is one of `files`. */
export function viewFile(digest: string, files: readonly EnvironmentFile[], name: string): FileView | null {
  const file = files.find((f) => f.path === name);
  if (!file) return null;
  if (file.kind === "link") return { path: name, bytes: 0, text: `link to ${file.target}\n`, cut: false };
  const fd = fs.openSync(path.join(filesFolder(digest), file.path), "r");
  try {
    const buffer = Buffer.alloc(Math.min(file.bytes, MOST));
    const n = fs.readSync(fd, buffer, 0, buffer.length, 0);
    const start = buffer.subarray(0, n);
    const text = start.includes(0) ? null : start.toString("utf8");
    return { path: name, bytes: file.bytes, text, cut: file.bytes > MOST };
  } finally {
    fs.closeSync(fd);
  }
}
