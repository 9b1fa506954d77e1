import "server-only";
import fs from "node:fs";
import path from "node:path";

/**
 * The one home for data: `MISSTEP_HOME`, default `.misstep/` in the project. Everything the product writes lies below.
 * Creates the folders on first use.
 */
export interface Home {
  root: string;
  database: string;
  uploads: string;
  backups: string;
}

/** Folder of the project: where package.json and the migrations are. */
export const projectRoot = (): string => process.env.MISSTEP_ROOT ?? process.cwd();

/**
 * What tells this home from another at a glance: its last folder, with the one above where that is a hidden folder, as
 * the default one is.
 */
export function homeName(root: string): string {
  const last = path.basename(root);
  const above = path.basename(path.dirname(root));
  return last.startsWith(".") && above !== "" ? `${above}/${last}` : last || root;
}

/** MISSTEP_HOME names a place where nothing can be kept. */
export class UnusableHomeError extends Error {
  constructor(root: string, cause: unknown) {
    super(
      `data cannot be kept in ${root}: ${cause instanceof Error ? cause.message : String(cause)}. Set MISSTEP_HOME to a folder you may write.`,
      { cause },
    );
    this.name = "UnusableHomeError";
  }
}

/** mkdir -p, one level at a time: Node's own recursive mkdir never comes back where a file system refuses with ENOENT (/proc). */
function makeFolder(dir: string): void {
  if (!fs.existsSync(path.dirname(dir))) makeFolder(path.dirname(dir));
  try {
    fs.mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    if (!fs.statSync(dir).isDirectory()) throw new Error(`${dir} is a file`);
  }
}

// An empty value is no value: it would mean the folder somebody happens to be in.
// The build must not take the folder for a part of the program: what lies there has links that lead nowhere outside.
const rootOf = (env: NodeJS.ProcessEnv): string =>
  path.resolve(
    /*turbopackIgnore: true*/ env.MISSTEP_HOME || path.join(/*turbopackIgnore: true*/ projectRoot(), ".misstep"),
  );

const databaseOf = (root: string): string => path.join(root, "misstep.db");

/** Where the index lies, or would: for words about it. Makes nothing. */
export const indexFile = (env: NodeJS.ProcessEnv = process.env): string => databaseOf(rootOf(env));

export function home(env: NodeJS.ProcessEnv = process.env): Home {
  const root = rootOf(env);
  const dirs = {
    uploads: path.join(root, "uploads"),
    backups: path.join(root, "backups"),
  };
  try {
    makeFolder(root);
    for (const dir of Object.values(dirs)) makeFolder(dir);
  } catch (error) {
    throw new UnusableHomeError(root, error);
  }
  return { root, database: databaseOf(root), ...dirs };
}
