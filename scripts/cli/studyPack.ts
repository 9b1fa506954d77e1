import { Command } from "commander";
import { NotPackable } from "@/lib/study/shipped/clean";
import { shippedArchive } from "@/lib/study/shipped/manifest";
import { packStudy } from "@/lib/study/shipped/pack";
import { formatBytes } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";

/** misstep study pack */
export function packCommand(): Command {
  return new Command("pack")
    .description("pack the finished study of a home into one archive, as it ships with Misstep")
    .option("--out <file>", "target (default: db/study/study.tar.br of the project)")
    .option("--home <folder>", "home of the study (default: MISSTEP_HOME)")
    .option("--json", "print the result as JSON")
    .action(async (options: JsonOption & { out?: string; home?: string }) => {
      if (options.home !== undefined) process.env.MISSTEP_HOME = callerPath(options.home);
      const out = options.out === undefined ? shippedArchive() : callerPath(options.out);
      try {
        const { manifest, bytes } = await packStudy(openIndex(), out);
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
