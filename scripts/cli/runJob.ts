import type { Db } from "@/db/client";
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
 * Ctrl-C cancels it; what was finished stays.
 */
export async function runToEnd(db: Db, input: NewJob): Promise<JobRow> {
  const id = enqueue(db, input);
  const stop = new AbortController();
  const onInterrupt = () => {
    cancelJob(db, id, "cli");
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
        await workOn(db, id, `cli:${process.pid}`, stop.signal);
        release();
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
