import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { backupIndex } from "@/db/backup";
import type { Db } from "@/db/client";
import { home } from "@/db/home";
import type { ItemRow } from "@/lib/jobs/executor";
import { ownCommand, type SlurmSettings, sharedFolder } from "@/lib/jobs/place/settings";
import type { JobRow } from "@/lib/jobs/queue";
import { writeWhole } from "@/lib/model/chat/file";
import { checkpointFolder } from "@/lib/model/policy/checkpoint";
import { quote } from "@/lib/sandbox/quote";

/**
 * The folder of a job that both sides see:
 * home/              MISSTEP_HOME of the tasks: snapshot of the index, environments, checkpoints; nothing secret
 * keep/              what the next process of the job goes on from
 * results/<item>.json  what an item came to; <item>.done once the worker has taken it in
 * <n>/               one submission: script.sh, items/<task>.json, log/<task>.out
 */
export interface JobFolder {
  root: string;
  home: string;
  keep: string;
  results: string;
}

/** Differs between homes that share one folder. */
const mark = (): string => createHash("sha256").update(home().root).digest("hex").slice(0, 8);

/** Name of a submission in Slurm: unique, so that it is found again when its id was not written down. */
export const submissionName = (jobId: number, n: number): string => `misstep-${mark()}-${jobId}-${n}`;

export function jobFolder(settings: SlurmSettings, jobId: number): JobFolder {
  const root = path.join(sharedFolder(settings), `job-${jobId}-${mark()}`);
  return folderAt(root);
}

export const folderAt = (root: string): JobFolder => ({
  root,
  home: path.join(root, "home"),
  keep: path.join(root, "keep"),
  results: path.join(root, "results"),
});

/** Whether a path lies below another. */
const isBelow = (inner: string, outer: string): boolean => !path.relative(outer, inner).startsWith("..");

/** Makes a folder of the home available to tasks: by a link where they see the home itself, else as a copy. */
function provide(from: string, to: string, shared: boolean): void {
  if (!fs.existsSync(from) || fs.existsSync(to)) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  if (shared) {
    fs.symlinkSync(from, to);
    return;
  }
  const building = fs.mkdtempSync(`${to}.building-`);
  fs.cpSync(from, building, { recursive: true, verbatimSymlinks: true });
  fs.renameSync(building, to);
}

/** Makes the folder of a job, with a snapshot of the index as it is now. */
export async function prepareFolder(db: Db, folder: JobFolder, checkpoints: readonly string[]): Promise<void> {
  for (const dir of [folder.home, folder.keep, folder.results]) fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const own = home().root;
  const shared = isBelow(folder.root, own);
  await backupIndex(db, path.join(folder.home, "misstep.db"));
  for (const name of ["environments", "suite", "rootfs"]) {
    fs.mkdirSync(path.join(own, name), { recursive: true, mode: 0o700 });
    provide(path.join(own, name), path.join(folder.home, name), shared);
  }
  // A real folder: what a training writes there is taken in by the worker.
  for (const name of checkpoints) {
    const from = checkpointFolder(name);
    if (from !== null && isBelow(from, own)) provide(from, path.join(folder.home, "checkpoints", name), false);
  }
}

const taskSchema = z.object({
  jobId: z.number(),
  items: z.array(
    z.object({
      id: z.number(),
      key: z.string(),
      payload: z.string(),
      attempts: z.number(),
      result: z.string().nullable(),
    }),
  ),
});
export type Task = z.infer<typeof taskSchema>;

const taskFile = (submission: string, index: number): string => path.join(submission, "items", `${index}.json`);

/** Reads what a task has to do. */
export const readTask = (submission: string, index: number): Task =>
  taskSchema.parse(JSON.parse(fs.readFileSync(taskFile(submission, index), "utf8")));

/** What a task printed, its end. */
export function tailOf(submission: string, index: number, lines = 8): string {
  const file = path.join(submission, "log", `${index}.out`);
  if (!fs.existsSync(file)) return "";
  return fs.readFileSync(file, "utf8").trimEnd().split("\n").slice(-lines).join("\n").slice(-4000);
}

/** Writes a submission: a task a list of items, and the script that starts a task. Gives back its folder and the script. */
export function writeSubmission(
  folder: JobFolder,
  settings: SlurmSettings,
  job: JobRow,
  n: number,
  tasks: readonly ItemRow[][],
): { submission: string; script: string } {
  const submission = path.join(folder.root, String(n));
  fs.rmSync(submission, { recursive: true, force: true });
  for (const name of ["items", "log"]) fs.mkdirSync(path.join(submission, name), { recursive: true, mode: 0o700 });
  for (const [index, items] of tasks.entries())
    writeWhole(taskFile(submission, index), JSON.stringify({ jobId: job.id, items } satisfies Task));
  const script = path.join(submission, "script.sh");
  writeWhole(
    script,
    [
      "#!/bin/bash",
      ...settings.extra,
      `exec >>${quote(path.join(submission, "log"))}/"$SLURM_ARRAY_TASK_ID".out 2>&1`,
      `export MISSTEP_HOME=${quote(folder.home)}`,
      `${settings.command || ownCommand()} slurm-item ${quote(submission)} "$SLURM_ARRAY_TASK_ID"`,
      "",
    ].join("\n"),
  );
  return { submission, script };
}

/** Options of sbatch. The environment that goes along is that of `client.ts`, in which there are no keys. */
export function sbatchOptions(settings: SlurmSettings, name: string, tasks: number): string[] {
  const { partition, account, time, cpusPerTask, memory, concurrent } = settings;
  return [
    `--job-name=${name}`,
    `--array=0-${tasks - 1}%${concurrent}`,
    "--requeue",
    // A list of names would make the node read a login environment first.
    "--export=ALL",
    // The script writes its own log: no path of ours is read as a pattern.
    "--output=/dev/null",
    "--chdir=/",
    "--ntasks=1",
    `--cpus-per-task=${cpusPerTask}`,
    ...(partition ? [`--partition=${partition}`] : []),
    ...(account ? [`--account=${account}`] : []),
    ...(time ? [`--time=${time}`] : []),
    ...(memory ? [`--mem=${memory}`] : []),
  ];
}
