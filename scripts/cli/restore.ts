import fs from "node:fs";
import { Command } from "commander";
import { restoreIndex } from "@/db/backup";
import { takeWorkerLock } from "@/lib/jobs/lock";
import { callerPath, type JsonOption, print, UsageError } from "./output";

/** misstep restore FILE */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("put a backup in place of the index; the present index is kept beside the backups")
    .argument("<file>", "a file that misstep backup wrote")
    .option("--json", "print the result as JSON")
    .action((given: string, options: JsonOption) => {
      const file = callerPath(given);
      if (!fs.existsSync(file)) throw new UsageError(`${file}: there is no such file`);
      const release = takeWorkerLock();
      if (!release)
        throw new UsageError(
          "Misstep is running for this home; stop it first (Ctrl-C where npm start runs), then restore",
        );
      try {
        const kept = restoreIndex(file);
        print(options, { restored: file, kept }, () => [
          `restored ${file}`,
          ...(kept ? [`the index that was there is kept as ${kept}`] : []),
        ]);
      } finally {
        release();
      }
    });
}
