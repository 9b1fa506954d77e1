/** Entry of a thread of the web server that looks whether the index is well. */
import { parentPort, workerData } from "node:worker_threads";
import { openDb } from "@/db/client";
import { doctor } from "@/lib/jobs/doctor";

const db = openDb((workerData as { database: string }).database, { readonly: true });
try {
  parentPort?.postMessage(doctor(db));
} finally {
  db.$client.close();
}
