import "server-only";
import type { Db } from "@/db/client";
import { FOLLOWING_KINDS, JOB_SLOTS } from "@/db/schema/jobs";
import { executors } from "./executors";
import { followWithIndexing, indexWhatWasLeft } from "./executors/textIndex";
import { onSlurm } from "./place/slurm/run";
import { withdrawEnded } from "./place/slurm/sweep";
import { claimJob, type JobRow, logJob, reclaimJobs } from "./queue";
import { runJob } from "./run";

/** Jobs that run elsewhere, or wait for others, at once. */
const FOLLOWED = 16;
/** How often jobs that ended here are looked for elsewhere. Milliseconds. */
const SWEEP_MS = 30_000;
const IDLE_MS = 250;
const WAITING: ReadonlySet<string> = new Set(FOLLOWING_KINDS);

/** Waits, but not longer than until `signal` is aborted. */
const sleep = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });

async function perform(db: Db, job: JobRow, owner: string, stop: AbortSignal): Promise<void> {
  const executor = executors[job.kind];
  if (executor) {
    const here = job.place === "local" || executor.placesItself;
    return runJob(db, job, here ? executor : onSlurm(executor), owner, stop);
  }
  const error = `this version of Misstep has no executor for jobs of kind "${job.kind}"`;
  logJob(db, job.id, "error", error);
  db.$client
    .prepare("update job set status = 'failed', error = ?, finished_at = ?, lease_owner = null where id = ?")
    .run(error, Date.now(), job.id);
}

/** Runs a claimed job; what it stored is taken into the search index next, whatever the job came to. */
async function runClaimed(db: Db, job: JobRow, owner: string, stop: AbortSignal): Promise<void> {
  await perform(db, job, owner, stop);
  followWithIndexing(db, job);
}

/** Runs queued jobs until `stop` is aborted. The caller holds the worker lock. */
export async function work(db: Db, owner: string, stop: AbortSignal): Promise<void> {
  reclaimJobs(db, true);
  indexWhatWasLeft(db);
  const running = new Set<Promise<void>>();
  const waiting = new Set<Promise<void>>();
  let sweptAt = 0;
  while (!stop.aborted) {
    if (Date.now() - sweptAt > SWEEP_MS) {
      sweptAt = Date.now();
      void withdrawEnded(db);
    }
    const job =
      (running.size < JOB_SLOTS ? claimJob(db, owner, undefined, "here") : undefined) ??
      (waiting.size < FOLLOWED ? claimJob(db, owner, undefined, "elsewhere") : undefined);
    if (!job) {
      await Promise.race([sleep(IDLE_MS, stop), ...running]);
      continue;
    }
    const kept = job.place !== "local" || WAITING.has(job.kind) ? waiting : running;
    const task = runClaimed(db, job, owner, stop).finally(() => kept.delete(task));
    kept.add(task);
  }
  await Promise.all([...running, ...waiting]);
}

/** Runs one queued job here and now (command line without a running worker). The caller holds the worker lock. */
export async function workOn(db: Db, jobId: number, owner: string, stop: AbortSignal): Promise<void> {
  const job = claimJob(db, owner, jobId);
  if (job) await runClaimed(db, job, owner, stop);
}
