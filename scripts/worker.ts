/** The worker process: runs queued jobs until it is told to stop or its supervisor is gone. */
import { closeDb, getDb } from "@/db/client";
import { explain } from "@/db/failure";
import { setImportThreads } from "@/lib/jobs/executors/importThreads";
import { takeWorkerLock } from "@/lib/jobs/lock";
import { work } from "@/lib/jobs/worker";

setImportThreads(new URL("./importThread.mjs", import.meta.url));
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
process.on("SIGINT", () => stop.abort());
process.on("disconnect", () => stop.abort());

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function lock(): Promise<(() => void) | null> {
  for (let told = false; !stop.signal.aborted; ) {
    const release = takeWorkerLock();
    if (release) return release;
    if (!told) process.stderr.write("misstep: another process is running jobs for this home; waiting for it\n");
    told = true;
    await sleep(500);
  }
  return null;
}

const release = await lock();
if (release) {
  try {
    await work(getDb(), `local:${process.pid}`, stop.signal);
    closeDb();
  } catch (error) {
    process.stderr.write(`misstep: the worker stops: ${explain(error)}\n`);
    process.exit(1);
  } finally {
    release();
  }
}
process.exit(0);
