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
  jobs: string;
}

/** Folder of the project: where package.json and the migrations are. */
export const projectRoot = (): string => process.env.MISSTEP_ROOT ?? process.cwd();

export function home(env: NodeJS.ProcessEnv = process.env): Home {
  const root = path.resolve(/*turbopackIgnore: true*/ env.MISSTEP_HOME ?? path.join(projectRoot(), ".misstep"));
  const dirs = {
    uploads: path.join(root, "uploads"),
    backups: path.join(root, "backups"),
    jobs: path.join(root, "jobs"),
  };
  fs.mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const dir of Object.values(dirs)) fs.mkdirSync(dir, { recursive: true });
  return { root, database: path.join(root, "misstep.db"), ...dirs };
}
