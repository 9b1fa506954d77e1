import type { Db } from "@/db/client";
import { requestIndexing } from "@/lib/jobs/executors/textIndex";
import { takeWorkerLock } from "@/lib/jobs/lock";
import { cancelJob, enqueue, getJob, isFinal, type JobRow, type NewJob, reclaimJobs } from "@/lib/jobs/queue";
import { workOn } from "@/lib/jobs/worker";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Between two lines of progress where there is no terminal to write over. Milliseconds. */
const LINE_MS = 60_000;

function progressOf(): (job: JobRow) => void {
  let said = Date.now();
  return (job) => {
    const of = job.listed ? `${job.items_total}` : `${job.items_total}…`;
    const line = `${job.title}: ${job.items_done + job.items_failed} of ${of}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
    else if (Date.now() - said > LINE_MS) {
      said = Date.now();
      process.stderr.write(`${line}\n`);
    }
  };
}

/**
 * Queues a job and sees it through: in this process when no worker runs for this home, else by following the worker.
 * Ctrl-C cancels it, and what was finished stays; a second one does not wait for the file in flight.
 */
export const runToEnd = (db: Db, input: NewJob): Promise<JobRow> => seeThrough(db, enqueue(db, input));

/** Takes the texts that wait into the search index, unless a running worker does it already. */
export async function indexTexts(db: Db): Promise<void> {
  requestIndexing(db, "cli");
  const id = db.$client.prepare("select id from job where kind = 'index' and status = 'queued' limit 1").pluck().get();
  if (typeof id === "number") await seeThrough(db, id);
}

/** runToEnd for a job that is queued already (`tell`: say how far it is), or that a command which is gone left in the middle. */
export async function seeThrough(db: Db, id: number, { tell = true } = {}): Promise<JobRow> {
  const stop = new AbortController();
  const onInterrupt = () => {
    if (!cancelJob(db, id, "cli").ok) process.exit(130);
  };
  process.on("SIGINT", onInterrupt);
  const show = progressOf();
  const progress = setInterval(() => {
    const job = tell ? getJob(db, id) : undefined;
    if (job) show(job);
  }, 200);
  try {
    for (;;) {
      const job = getJob(db, id);
      if (!job || isFinal(job.status)) break;
      // A lease that ran out while nobody holds the lock: whoever worked on it is gone.
      const left = job.status === "running" && (job.lease_until ?? 0) < Date.now();
      const release = job.status === "queued" || left ? takeWorkerLock() : null;
      if (release) {
        try {
          if (left) reclaimJobs(db, true);
          await workOn(db, id, `cli:${process.pid}`, stop.signal);
        } finally {
          release();
        }
      } else await sleep(150);
    }
  } finally {
    clearInterval(progress);
    process.off("SIGINT", onInterrupt);
    if (tell && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  }
  const job = getJob(db, id);
  if (!job) throw new Error(`job ${id} vanished from the index`);
  if (job.status === "paused")
    process.stderr.write(`job ${id} is paused; what it has done is kept. Go on: misstep resume ${id}\n`);
  return job;
}
