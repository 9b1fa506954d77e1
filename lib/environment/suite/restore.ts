import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { filesFolder } from "@/lib/environment/home";
import { keepFiles } from "@/lib/environment/keep";
import { EnvironmentRefused } from "@/lib/environment/refused";
import { suiteFolder } from "./ensure";
import { generate } from "./generate";
import { parseSuiteName } from "./splits";
import { writeGenerated } from "./write";

/**
 * Makes the files of the suite's environments again where the index has the environment and the home not its files, as after
 * a study was loaded. Returns the names of those that this version generates differently: their files stay missing, and
 * what would run in them says so.
 */
export function restoreSuiteFiles(db: Db): string[] {
  const rows = statement(
    db,
    "select id, name, digest, directory from environment where kind = 'tiny' and digest is not null",
  ).all() as { id: number; name: string; digest: string; directory: string | null }[];
  const different: string[] = [];
  const found: [id: number, directory: string][] = [];
  for (const { id, name, digest, directory } of rows) {
    if (directory !== null && fs.existsSync(filesFolder(digest))) continue;
    const parsed = parseSuiteName(name);
    if (!parsed) continue;
    writeGenerated(suiteFolder(), generate(parsed.family, parsed.seed));
    const made = path.join(suiteFolder(), name);
    try {
      keepFiles(made, digest);
    } catch (error) {
      if (!(error instanceof EnvironmentRefused)) throw error;
      different.push(name);
    }
    if (directory !== made) found.push([id, made]);
  }
  const write = db.$client.prepare("update environment set directory = ? where id = ?");
  db.$client
    .transaction(() => {
      for (const [id, directory] of found) write.run(directory, id);
    })
    .immediate();
  return different;
}
