import fs from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import { RAY_ADDRESS } from "@/lib/jobs/launch/ray";
import { LAUNCH_PLACES, type Place } from "@/lib/jobs/place/places";
import { readClusters } from "@/lib/jobs/place/settings";
import { callerPath, forTerminal, type JsonOption, openIndex, print, UsageError } from "./output";
import { runToEnd } from "./runJob";

interface Options extends JsonOption {
  on: Place;
  address: string;
}

/** misstep launch */
export function launchCommand(): Command {
  return new Command("launch")
    .description("runs the launch.sh of a bundle for a larger trainer, and follows it; Ctrl-C stops it")
    .argument("<folder>", "the bundle")
    .addOption(
      new Option("--on <place>", "a process here, the Slurm of the settings, or a Ray head")
        .choices(LAUNCH_PLACES)
        .default("local"),
    )
    .option("--address <url>", "of the Ray head", RAY_ADDRESS)
    .option("--json", "print JSON")
    .action(async (given: string, options: Options) => {
      const folder = callerPath(given);
      if (!fs.existsSync(path.join(folder, "launch.sh"))) throw new UsageError(`${folder} holds no launch.sh`);
      if (options.on === "slurm" && readClusters().slurm === null)
        throw new UsageError("no Slurm is set up here: the page Settings, Clusters does it");
      if (options.on === "ray" && !/^https?:\/\//.test(options.address))
        throw new UsageError(`"${options.address}" is no address of a Ray head; it looks like ${RAY_ADDRESS}`);
      const db = openIndex();
      const job = await runToEnd(db, {
        kind: "launch",
        title: `Launch ${path.basename(folder)}`,
        params: { folder, ...(options.on === "ray" ? { address: options.address } : {}) },
        place: options.on,
        requestedBy: "cli",
      });
      const log = db.$client
        .prepare<[number], string>("select message from job_event where job_id = ? order by id")
        .pluck()
        .all(job.id);
      print(options, { job: job.id, status: job.status, error: job.error, log }, () => [
        ...(log as string[]),
        `job ${job.id}: ${job.status}${job.error === null ? "" : `: ${forTerminal(job.error)}`}`,
      ]);
      if (job.status !== "done") process.exitCode = 1;
    });
}
