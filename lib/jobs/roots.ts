import "server-only";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { home, projectRoot } from "@/db/home";

/**
 * Folders the web page may import from: MISSTEP_IMPORT_ROOTS (separated like PATH), else the user's home folder, the
 * folder the project lies in, and uploads. The command line is not confined: who calls it can read the files anyway.
 */
export function importRoots(env: NodeJS.ProcessEnv = process.env): string[] {
  const given = env.MISSTEP_IMPORT_ROOTS?.split(path.delimiter).filter((p) => p !== "");
  const roots = given ?? [os.homedir(), path.dirname(projectRoot())];
  return [...new Set([...roots.map((p) => path.resolve(p)), home().uploads])];
}

export type Confined = { ok: true; path: string } | { ok: false; reason: string };

/** The real path behind `given` when it lies below a root, symbolic links followed. */
export function confine(given: string, roots: string[] = importRoots()): Confined {
  if (!path.isAbsolute(given)) return { ok: false, reason: "give an absolute path on the machine that runs Misstep" };
  if (!fs.existsSync(given))
    return { ok: false, reason: `${given}: there is no such file or folder on the machine that runs Misstep` };
  const real = fs.realpathSync(given);
  const below = roots.some((root) => {
    const base = fs.existsSync(root) ? fs.realpathSync(root) : root;
    return real === base || real.startsWith(base.endsWith(path.sep) ? base : base + path.sep);
  });
  if (below) return { ok: true, path: real };
  return {
    ok: false,
    reason: `${real} is outside the folders this page may read (${roots.join(", ")}). Set MISSTEP_IMPORT_ROOTS to allow it, or use the command line: npm run -s misstep -- import ${given}`,
  };
}

/** What an import of a path is called: what was dropped by its names, anything else by its path. */
export function importTitle(real: string, uploads: string = home().uploads): string {
  const base = fs.existsSync(uploads) ? fs.realpathSync(uploads) : uploads;
  if (path.dirname(real) !== base || !fs.statSync(real).isDirectory()) return `Import ${real}`;
  const [first, ...more] = fs.readdirSync(real).sort();
  if (first === undefined) return `Import ${real}`;
  return `Import what was dropped: ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}
