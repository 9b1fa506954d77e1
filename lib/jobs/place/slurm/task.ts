import "server-only";
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDb } from "@/db/client";
import { explain, isMachineFailure } from "@/db/failure";
import { type Executor, type ItemRow, JobBroken, type Performer } from "@/lib/jobs/executor";
import { getJob } from "@/lib/jobs/queue";
import { writeWhole } from "@/lib/model/chat/file";
import { SandboxFailure } from "@/lib/sandbox/types";
import { folderAt, readTask } from "./folder";

/** What an item came to, as a task writes it. `broken`: nothing of the job can be done. */
export type ItemResult =
  | { status: "done"; value: unknown }
  | { status: "failed"; error: string }
  | { status: "broken"; error: string };

export const resultFile = (results: string, itemId: number): string => path.join(results, `${itemId}.json`);
/** In place of a result that the worker has taken in. */
export const takenFile = (results: string, itemId: number): string => path.join(results, `${itemId}.done`);

/** Another process performs the same items: this one is left over from before its node was given up. */
class Superseded extends Error {}

/** Of two processes that go in order in one folder, only the one that came last writes. */
function ownership(keep: string): () => void {
  const file = path.join(keep, "owner");
  const own = randomUUID();
  writeWhole(file, own);
  return () => {
    if (fs.readFileSync(file, "utf8") !== own)
      throw new Superseded("another task has taken over; this one ends without writing");
  };
}

/** What keeps the whole task from going on, so that its items are submitted again. */
const isTaskFailure = (error: unknown): boolean =>
  error instanceof Superseded ||
  isMachineFailure(error) ||
  (error instanceof SandboxFailure && error.kind === "host-gone");

function failureOf(error: unknown, inOrder: boolean): ItemResult {
  const said = explain(error);
  return { status: inOrder || error instanceof JobBroken ? "broken" : "failed", error: said };
}

/**
 * Performs the items of one task against the snapshot and writes what each came to, whole, as it ends. Items whose result
 * is there are not done again. Rejects when the task has to be submitted again.
 */
export async function performTask(
  submission: string,
  index: number,
  executors: Record<string, Executor>,
  signal: AbortSignal,
): Promise<void> {
  const folder = folderAt(path.dirname(submission));
  const task = readTask(submission, index);
  const db = openDb(path.join(folder.home, "misstep.db"), { readonly: true });
  setMaxListeners(0, signal);
  let performer: Performer | null = null;
  try {
    const job = getJob(db, task.jobId);
    const away = job && executors[job.kind]?.away;
    if (!job || !away) throw new Error(`job ${task.jobId} cannot be done here: another version wrote the snapshot`);
    const inOrder = away.inOrder ?? false;
    const lanes = inOrder ? 1 : Number(process.env.SLURM_CPUS_PER_TASK) || os.availableParallelism();
    const mayWrite = inOrder ? ownership(folder.keep) : () => undefined;
    const ready = await away.open({ db, job, signal, folder: folder.keep, lanes });
    performer = ready;
    const onDisk = (item: ItemRow) =>
      fs.existsSync(resultFile(folder.results, item.id)) || fs.existsSync(takenFile(folder.results, item.id));
    const isThrough = (item: ItemRow) => ready.isThrough?.(item) ?? onDisk(item);
    const queue = [...task.items];
    let broken: { error: unknown } | null = null;
    const lane = async () => {
      for (let item = queue.shift(); item && !signal.aborted && broken === null; item = queue.shift()) {
        if (isThrough(item)) continue;
        try {
          const began = performance.now();
          const result = await perform(ready, item, inOrder);
          if (signal.aborted) return;
          mayWrite();
          writeWhole(resultFile(folder.results, item.id), JSON.stringify(result));
          if (result.status === "done") ready.kept?.(result.value);
          process.stdout.write(`${item.key}: ${result.status}, ${Math.round(performance.now() - began)} ms\n`);
          if (result.status === "broken") return;
        } catch (error) {
          broken ??= { error };
        }
      }
    };
    await Promise.all(Array.from({ length: inOrder ? 1 : 2 * lanes }, lane));
    const failed = broken as { error: unknown } | null;
    if (failed !== null) throw failed.error;
    if (signal.aborted) throw new Error("stopped before all items were done");
  } finally {
    await performer?.close().catch(() => undefined);
    db.$client.close();
  }
}

async function perform(performer: Performer, item: ItemRow, inOrder: boolean): Promise<ItemResult> {
  try {
    return { status: "done", value: await performer.perform(item) };
  } catch (error) {
    if (isTaskFailure(error)) throw error;
    return failureOf(error, inOrder);
  }
}
