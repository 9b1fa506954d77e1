import "server-only";
import fs from "node:fs";
import path from "node:path";
import { digestOf, listFiles } from "./files";
import { readHarbor } from "./harbor";
import { type EnvironmentRefusal, EnvironmentRefused, refuse } from "./refused";
import { readTerminalBench } from "./terminalBench";
import type { EnvironmentSpec } from "./types";

/** Folders below the given one in which task directories are looked for. */
const DEPTH = 6;

type Layout = "harbor" | "terminal-bench";

/** The layout of a task directory by the file that describes it; null when it is none. */
export function layoutOf(directory: string): Layout | null {
  const has = (name: string) => fs.statSync(path.join(directory, name), { throwIfNoEntry: false })?.isFile() ?? false;
  if (has("task.toml")) return "harbor";
  if (has("task.yaml")) return "terminal-bench";
  return null;
}

/** Reads one task directory. Throws EnvironmentRefused with path, position and reason when it cannot be used. */
export function readEnvironment(directory: string): EnvironmentSpec {
  const root = path.resolve(directory);
  const layout = layoutOf(root);
  if (layout === null)
    return refuse(
      root,
      null,
      "it has neither task.toml (Harbor) nor task.yaml (Terminal-Bench): it is no task directory",
    );
  const files = listFiles(root);
  const stated = layout === "harbor" ? readHarbor(root) : readTerminalBench(root);
  const warnings = [...stated.warnings];
  if (stated.tests === null)
    warnings.push(`${layout === "harbor" ? "tests/test.sh" : "run-tests.sh"} is missing: there is no outcome reward`);
  if (stated.solution === null) warnings.push("there is no reference solution that can be run");
  return {
    ...stated,
    name: stated.name ?? path.basename(root),
    warnings,
    substitutions: {},
    digest: digestOf(root, files),
  };
}

export interface Found {
  directory: string;
  spec: EnvironmentSpec;
}

/**
 * Task directories at or below `given`, in the order of their paths. A task directory is not searched for further ones.
 * What looks like one and cannot be read is in `refused`; the rest is still found.
 */
export function discoverEnvironments(given: string): { found: Found[]; refused: EnvironmentRefusal[] } {
  const found: Found[] = [];
  const refused: EnvironmentRefusal[] = [];
  const visit = (folder: string, depth: number) => {
    if (layoutOf(folder) !== null) {
      try {
        found.push({ directory: folder, spec: readEnvironment(folder) });
      } catch (error) {
        if (!(error instanceof EnvironmentRefused)) throw error;
        refused.push(error.refusal);
      }
      return;
    }
    const folders = fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
      .map((entry) => entry.name)
      .sort();
    if (folders.length > 0 && depth >= DEPTH) {
      refused.push({
        path: folder,
        position: null,
        reason: `task directories are looked for ${DEPTH} folders deep; import this folder itself to go on`,
      });
      return;
    }
    for (const name of folders) visit(path.join(folder, name), depth + 1);
  };
  visit(path.resolve(given), 0);
  return { found, refused };
}
