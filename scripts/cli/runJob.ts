import type { Db } from "@/db/client";
import { requestIndexing } from "@/lib/jobs/executors/textIndex";
import { takeWorkerLock } from "@/lib/jobs/lock";
import { cancelJob, enqueue, getJob, isFinal, type JobRow, type NewJob } from "@/lib/jobs/queue";
import { workOn } from "@/lib/jobs/worker";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function showProgress(job: JobRow): void {
  if (!process.stderr.isTTY) return;
  const of = job.listed ? `${job.items_total}` : `${job.items_total}…`;
  process.stderr.write(`\r\u001b[K${job.title}: ${job.items_done + job.items_failed} of ${of}`);
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

/** runToEnd for a job that is queued already. */
export async function seeThrough(db: Db, id: number): Promise<JobRow> {
  const stop = new AbortController();
  const onInterrupt = () => {
    if (!cancelJob(db, id, "cli").ok) process.exit(130);
  };
  process.on("SIGINT", onInterrupt);
  const progress = setInterval(() => {
    const job = getJob(db, id);
    if (job) showProgress(job);
  }, 200);
  try {
    for (;;) {
      const job = getJob(db, id);
      if (!job || isFinal(job.status)) break;
      const release = job.status === "queued" ? takeWorkerLock() : null;
      if (release) {
        try {
          await workOn(db, id, `cli:${process.pid}`, stop.signal);
        } finally {
          release();
        }
      } else await sleep(150);
    }
  } finally {
    clearInterval(progress);
    process.off("SIGINT", onInterrupt);
    if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  }
  const job = getJob(db, id);
  if (!job) throw new Error(`job ${id} vanished from the index`);
  return job;
}
