import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { contentHashes } from "@/db/dump";
import { claimJob, enqueue, getJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import type { ImportUnit } from "@/lib/trajectory/unit";
import { importExecutor } from "./import";
import { readInThread, setImportThreads } from "./importThreads";

/** A thread that speaks the protocol: ends each unit, dies at one whose key says so, is deaf in one that is stuck. */
const THREAD = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", (m) => {
  if (m.kind !== "read") return;
  m.units.forEach((u, unit) => {
    if (u.key.includes("die")) process.exit(3);
    if (u.key.includes("stuck")) for (;;);
    parentPort.postMessage({ kind: "part", task: m.task, part: { json: JSON.stringify([{ unit, kind: "end" }]), buffers: [] } });
  });
  parentPort.postMessage({ kind: "done", task: m.task });
});`;

const RUNS = 70;
let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-threads-"));
  fs.writeFileSync(path.join(dir, "thread.mjs"), THREAD);
  fs.mkdirSync(path.join(dir, "die"));
  for (let i = 0; i < RUNS; i++) {
    const messages = [
      { role: "user", content: `Task ${i}` },
      { role: "assistant", content: "Done." },
    ];
    fs.writeFileSync(path.join(dir, `die/die-${i}.json`), JSON.stringify(messages));
  }
  setImportThreads(pathToFileURL(path.join(dir, "thread.mjs")));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const unit = (key: string): ImportUnit => ({ key, path: `/${key}`, member: null, bytes: 1 });
async function ends(reading: ReturnType<typeof readInThread>): Promise<number[]> {
  const seen: number[] = [];
  for await (const part of reading.parts()) for (const read of part) seen.push(read.unit);
  return seen;
}

const several = test.runIf(os.availableParallelism() > 1);

several("parts come in the order of the units; a thread that dies fails its task alone", async () => {
  const readings = [["a", "b"], ["c", "die", "e"], ["f"]].map((keys) => readInThread(keys.map(unit), "/"));
  const results = await Promise.allSettled(readings.map(ends));
  expect(results[0]).toEqual({ status: "fulfilled", value: [0, 1] });
  expect(results[1]).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("died") } });
  expect(results[2]).toEqual({ status: "fulfilled", value: [0] });
});

several("a task that is given up ends at once, even when its thread does not listen", async () => {
  const stuck = readInThread([unit("stuck")], "/");
  const waiting = ends(stuck);
  setTimeout(() => stuck.abandon(), 50);
  await expect(waiting).rejects.toThrow("abandoned");
  expect(await ends(readInThread([unit("a")], "/"))).toEqual([0]);
});

async function importAll() {
  const db = openMemoryDb();
  seedBuiltinTypes(db);
  const params = { path: path.join(dir, "die"), studyId: 1 };
  const id = enqueue(db, { kind: "import", title: "t", params, requestedBy: "test" });
  const job = claimJob(db, "w", id);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, importExecutor, "w", new AbortController().signal);
  const { status, counts } = getJob(db, id) ?? {};
  return { status, counts: JSON.parse(counts ?? "{}"), hashes: contentHashes(db) };
}

several("an import whose threads die is finished in the process, with the same result", async () => {
  const withDying = await importAll();
  setImportThreads(null);
  expect(withDying).toEqual(await importAll());
  expect(withDying).toMatchObject({ status: "done", counts: { imported: RUNS } });
});
