import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/db/client";
import { contentHashes } from "@/db/dump";
import { enqueue, getJob } from "@/lib/jobs/queue";
import { writeFolder } from "./bench/folder";
import { seeded } from "./bench/random";

/** Kills in the test run; set MISSTEP_KILLS for a longer one. */
const KILLS = Number(process.env.MISSTEP_KILLS ?? 2);
const root = path.resolve(import.meta.dirname, "..");

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-kill-"));
  writeFolder(path.join(dir, "runs"), 6e6, 5);
  fs.writeFileSync(path.join(dir, "runs/broken.json"), '[{"role": "user", "content": "cut of');
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const envOf = (home: string) => ({ ...process.env, MISSTEP_HOME: home, MISSTEP_ROOT: root });

/** A migrated home with one queued import. */
function newHome(name: string): { home: string; jobId: number } {
  const home = path.join(dir, name);
  const done = spawnSync(process.execPath, ["scripts/misstep.mjs", "doctor"], {
    cwd: root,
    env: envOf(home),
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
  const db = openDb(path.join(home, "misstep.db"));
  const jobId = enqueue(db, {
    kind: "import",
    title: "t",
    params: { path: path.join(dir, "runs"), studyId: 1 },
    requestedBy: "test",
  });
  db.$client.close();
  return { home, jobId };
}

const startWorker = (home: string): ChildProcess =>
  spawn(process.execPath, ["dist/worker.mjs"], {
    cwd: root,
    env: envOf(home),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
const exited = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs the job to its end, killing the worker at random moments; gives the content and the job's counts. */
async function runJob({ home, jobId }: { home: string; jobId: number }, kills: number) {
  const random = seeded(kills);
  const db = openDb(path.join(home, "misstep.db"));
  for (let killed = 0; ; ) {
    const worker = startWorker(home);
    const end = exited(worker);
    const killAt = killed < kills ? Date.now() + 250 + random() * 500 : Number.POSITIVE_INFINITY;
    while (!getJob(db, jobId)?.finished_at && Date.now() < killAt) await sleep(20);
    worker.kill("SIGKILL");
    await end;
    if (getJob(db, jobId)?.finished_at) break;
    killed++;
  }
  const { status, counts } = getJob(db, jobId) ?? {};
  const hashes = contentHashes(db);
  const integrity = db.$client.pragma("integrity_check", { simple: true });
  db.$client.close();
  return { status, counts, hashes, integrity };
}

test(`kill -9 of the worker at ${KILLS} random moments leaves the same index as an undisturbed import`, async () => {
  const calm = await runJob(newHome("calm"), 0);
  const killed = await runJob(newHome("killed"), KILLS);
  expect(calm.status).toBe("done");
  expect(JSON.parse(calm.counts ?? "{}").refused).toBe(1);
  expect(killed).toEqual(calm);
}, 180_000);
