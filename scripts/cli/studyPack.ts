import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import type { Db } from "@/db/client";
import { PHASE_NAMES } from "@/lib/study/phaseNames";
import { NotPackable } from "@/lib/study/shipped/clean";
import { shippedArchive } from "@/lib/study/shipped/manifest";
import { packStudy } from "@/lib/study/shipped/pack";
import { finishedPhases, PHASES, readStudy } from "@/lib/study/state";
import { formatBytes } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";

/** A folder that holds an index; opening another one would make an empty index there. */
function homeThatIs(folder: string): string {
  if (fs.existsSync(path.join(folder, "misstep.db"))) return folder;
  throw new UsageError(`${folder} holds no index; give the folder that misstep study run --home was given`);
}

/** What is packed takes the place of the archive that was there: an index without a whole study must not. */
export function checkFinished(db: Db): void {
  const study = readStudy(db);
  if (study === null)
    throw new UsageError("not packed: this index holds no study; misstep study run makes one in a folder of its own");
  const done = finishedPhases(study);
  const open = PHASES.filter((phase) => !done.includes(phase));
  if (open.length > 0)
    throw new UsageError(
      `not packed: the study has not finished ${open.map((phase) => PHASE_NAMES[phase]).join(", ")}; misstep study run goes on with it`,
    );
}

/** misstep study pack */
export function packCommand(): Command {
  return new Command("pack")
    .description("pack the finished study of a home into one archive, as it ships with Misstep")
    .option("--out <file>", "target (default: db/study/study.tar.br of the project)")
    .option("--home <folder>", "home of the study (default: MISSTEP_HOME)")
    .option("--json", "print the result as JSON")
    .action(async (options: JsonOption & { out?: string; home?: string }) => {
      if (options.home !== undefined) process.env.MISSTEP_HOME = homeThatIs(callerPath(options.home));
      const out = options.out === undefined ? shippedArchive() : callerPath(options.out);
      const db = openIndex();
      checkFinished(db);
      try {
        const { manifest, bytes } = await packStudy(db, out);
        print(options, { file: out, bytes, manifest }, () => [
          `${out} (${formatBytes(bytes)}): ${manifest.trajectories} rollouts, ${manifest.checkpoints.length} checkpoints, ${manifest.judges.length} learned judges`,
          ...manifest.left.map((what) => `not in it: ${what}`),
        ]);
      } catch (error) {
        if (error instanceof NotPackable) throw new UsageError(`not packed: ${error.message}`);
        throw error;
      }
    });
}
