import { Command } from "commander";
import { resumeJob } from "@/lib/jobs/queue";
import { forTerminal, openIndex, parseId, UsageError } from "./output";
import { seeThrough } from "./runJob";

/** misstep resume */
export function resumeCommand(): Command {
  return new Command("resume")
    .description("go on with a paused job (a budget was used up, or somebody paused it)")
    .argument("<job>", "id of the job")
    .action(async (text: string) => {
      const id = parseId(text);
      const db = openIndex();
      const done = resumeJob(db, id, "cli");
      if (!done.ok) throw new UsageError(done.reason);
      const job = await seeThrough(db, id);
      process.stdout.write(`job ${id}: ${job.status}${job.error ? `: ${forTerminal(job.error)}` : ""}\n`);
      if (job.status !== "done") process.exitCode = 1;
    });
}
