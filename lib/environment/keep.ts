import "server-only";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fixTimes } from "@/lib/sandbox/tree";
import { digestOf, listFiles } from "./files";
import { filesFolder } from "./home";
import { refuse } from "./refused";

const beside = (target: string): string => `${target}.${process.pid}.${randomBytes(4).toString("hex")}`;

/** The folder is whole: gives it its name. False when another process was first. */
function settle(building: string, target: string): boolean {
  try {
    fs.renameSync(building, target);
    return true;
  } catch (error) {
    if (!fs.existsSync(target)) throw error;
    return false;
  }
}

/**
 * Fills `target` by `fill` in a folder beside it that is then renamed: it is there whole or not at all, also when two
 * processes do it at once. Returns false when it was there already.
 */
export function makeWhole(target: string, fill: (folder: string) => void): boolean {
  if (fs.existsSync(target)) return false;
  const building = beside(target);
  fs.mkdirSync(building, { recursive: true });
  try {
    fill(building);
    return settle(building, target);
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
}

/** makeWhole for work that takes its time. */
export async function makeWholeAsync(target: string, fill: (folder: string) => Promise<void>): Promise<boolean> {
  if (fs.existsSync(target)) return false;
  const building = beside(target);
  fs.mkdirSync(building, { recursive: true });
  try {
    await fill(building);
    return settle(building, target);
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
}

/** Copies a task directory to MISSTEP_HOME/environments/<digest>/files. Throws EnvironmentRefused when it changed since it was read. */
export function keepFiles(directory: string, digest: string): void {
  makeWhole(filesFolder(digest), (folder) => {
    for (const file of listFiles(directory)) {
      const to = path.join(folder, file.path);
      fs.mkdirSync(path.dirname(to), { recursive: true });
      if (file.kind === "link") fs.symlinkSync(file.target ?? "", to);
      else {
        fs.copyFileSync(path.join(directory, file.path), to);
        fs.chmodSync(to, file.executable ? 0o755 : 0o644);
      }
    }
    if (digestOf(folder, listFiles(folder)) !== digest)
      refuse(directory, null, "its files changed while they were read; import it again");
    fixTimes(folder);
  });
}
