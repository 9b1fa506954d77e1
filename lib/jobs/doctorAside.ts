import "server-only";
import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { type Check, doctor } from "./doctor";

/**
 * The doctor in a thread of its own: it reads the whole index, and whoever else asks the server for something would wait.
 * Without the bundled thread (`next dev` in a tree that was never built) it runs here.
 */
export async function doctorAside(db: Db): Promise<Check[]> {
  const entry = path.join(/*turbopackIgnore: true*/ projectRoot(), "dist/doctorThread.mjs");
  if (!fs.existsSync(entry)) return doctor(db);
  return new Promise((resolve, reject) => {
    const thread = new Worker(/*turbopackIgnore: true*/ entry, { workerData: { database: db.$client.name } });
    thread.once("message", (checks: Check[]) => resolve(checks));
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the thread of the health check ended with code ${code}`)));
  });
}
