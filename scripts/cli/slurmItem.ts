import { Command } from "commander";
import { executors } from "@/lib/jobs/executors";
import { performTask } from "@/lib/jobs/place/slurm/task";
import { whole } from "./prefix";

/** misstep slurm-item: what a task of an array runs on its node. Not for people. */
export function slurmItemCommand(): Command {
  return new Command("slurm-item")
    .description("performs the items of one Slurm task; started by the scripts that Misstep submits")
    .argument("<submission>", "folder of the submission")
    .argument("<index>", "of the task in its array", whole(0, Number.MAX_SAFE_INTEGER))
    .action(async (submission: string, index: number) => {
      const stop = new AbortController();
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop.abort(signal));
      await performTask(submission, index, executors, stop.signal);
    });
}
