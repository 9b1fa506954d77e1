import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { backupIndex } from "@/db/backup";
import { home } from "@/db/home";
import { formatBytes } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";

/** misstep backup [FILE] */
export function backupCommand(): Command {
  return new Command("backup")
    .description("copy the index to one file while everything keeps running")
    .argument("[file]", "target; default is a dated file in the backups folder of MISSTEP_HOME")
    .option("--json", "print the result as JSON")
    .action(async (given: string | undefined, options: JsonOption) => {
      const stamp = new Date().toISOString().replace(/[:.]/g, "-");
      const file = given ? callerPath(given) : path.join(home().backups, `misstep-${stamp}.db`);
      if (fs.existsSync(file)) throw new UsageError(`${file} exists already; name another file`);
      const db = openIndex();
      await backupIndex(db, file);
      const bytes = fs.statSync(file).size;
      print(options, { file, bytes }, () => `${file} (${formatBytes(bytes)})`);
    });
}
