import fs from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { statement } from "@/db/statement";
import { enqueueReadBack } from "@/lib/jobs/readBackJob";
import { UnusableTraining } from "@/lib/jobs/trainJob";
import { plural } from "@/lib/text/format";
import { UnreadableFolder } from "@/lib/train/readback/folder";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { indexTexts, seeThrough } from "./runJob";

interface Options extends JsonOption {
  bundle?: string;
  run?: string;
  name?: string;
  follow?: boolean;
}

/** misstep train read-back */
export function readBackCommand(): Command {
  return new Command("read-back")
    .description("reads rollouts that open-instruct wrote into a training; again, it goes on where it was")
    .argument("<folder>", "--rollouts_save_path of the trainer")
    .option("--bundle <manifest>", "manifest.json of the bundle it was started with, or the bundle's folder")
    .option("--run <name>", "which training, where the folder holds several")
    .option("--name <name>", "of the training here")
    .option("--follow", "go on while it is written")
    .option("--json", "print JSON")
    .action(async (folder: string, options: Options) => {
      const db = openIndex();
      const { runId, jobId, name } = asked(() =>
        enqueueReadBack(db, {
          folder: callerPath(folder),
          ...(options.bundle === undefined ? {} : { manifest: manifestAt(callerPath(options.bundle)) }),
          ...(options.run === undefined ? {} : { run: options.run }),
          ...(options.name === undefined ? {} : { name: options.name }),
          follow: options.follow === true,
          requestedBy: "cli",
        }),
      );
      const job = await seeThrough(db, jobId);
      await indexTexts(db);
      const count = (sql: string) => statement(db, sql).pluck().get(runId) as number;
      const steps = count("select count(*) from training_step where training_run_id = ?");
      const rollouts = count(
        "select count(*) from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = ?",
      );
      const problems = statement(
        db,
        "select path, line, reason from read_back_problem where training_run_id = ? order by path, line",
      ).all(runId) as { path: string; line: number; reason: string }[];
      print(
        options,
        { run: runId, name, job: jobId, status: job.status, error: job.error, steps, rollouts, problems },
        () => [
          `training ${runId} ${name}: ${job.status}${job.error === null ? "" : `: ${job.error}`}, ${plural(steps, "step")}, ${plural(rollouts, "rollout")}`,
          ...problems.map((p) => `not read: ${p.path}, line ${p.line}: ${p.reason}`),
        ],
      );
      if (job.status !== "done" && job.status !== "cancelled") process.exitCode = 1;
    });
}

const manifestAt = (given: string): string =>
  fs.existsSync(given) && fs.statSync(given).isDirectory() ? path.join(given, "manifest.json") : given;

function asked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnreadableFolder || error instanceof UnusableTraining) throw new UsageError(error.message);
    throw error;
  }
}
