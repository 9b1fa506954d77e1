import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";
import { migrateDb } from "@/db/migrate";
import { enqueue, getJob, isFinal } from "@/lib/jobs/queue";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { pretrainSettings } from "@/lib/train/pretrain/settings";
import { sha256Of } from "@/lib/train/pretrain/train";
import { seeded } from "./bench/random";

/** Only in the long test run: reruns and trainings are killed in every one. */
const KILLS = Number(process.env.MISSTEP_KILLS ?? 0);
const why = KILLS === 0 ? "npm run test:long runs it" : null;
if (why) process.stdout.write(`a pretraining under kill -9: skipped, ${why}\n`);
const root = path.resolve(import.meta.dirname, "..");
/** Two files of demonstrations and three stretches of training of a very small model. */
const settings = pretrainSettings.parse({
  name: "kill-test",
  demonstrations: 54,
  steps: 250,
  batch: 4,
  model: { dim: 16, layers: 1, heads: 2, hidden: 32, context: 128 },
});

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-pretrain-kill-"));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const startWorker = (home: string): ChildProcess =>
  spawn(process.execPath, ["dist/worker.mjs"], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: home, MISSTEP_ROOT: root },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Pretrains in a home of its own, killing the worker `kills` times, and tells what came of it. */
async function pretrained(name: string, kills: number) {
  const home = path.join(dir, name);
  fs.mkdirSync(home);
  const db: Db = openDb(path.join(home, "misstep.db"));
  migrateDb(db, path.join(root, "db/migrations"));
  const id = enqueue(db, { kind: "pretrain", title: "t", params: settings, requestedBy: "test" });
  const over = () => isFinal(getJob(db, id)?.status ?? "queued");
  const random = seeded(kills + 1);
  for (let killed = 0; ; killed++) {
    const worker = startWorker(home);
    const end = new Promise((resolve) => worker.once("exit", resolve));
    const done = () => getJob(db, id)?.items_done ?? 0;
    const before = done();
    let killAt = Number.POSITIVE_INFINITY;
    while (!over() && Date.now() < killAt) {
      // In the middle of an item, after one that ended: a killed worker has to redo the one and keep the other.
      if (killed < kills && killAt === Number.POSITIVE_INFINITY && (done() > before || killed === 0))
        killAt = Date.now() + 500 + random() * 1500;
      await sleep(20);
    }
    worker.kill("SIGKILL");
    await end;
    if (over()) break;
  }
  const job = getJob(db, id);
  const card = db.$client.prepare("select card from checkpoint where name = 'kill-test'").pluck().get();
  db.$client.close();
  const folder = path.join(home, "checkpoints/kill-test");
  return {
    status: job?.status,
    error: job?.error,
    items: job?.items_done,
    counts: JSON.parse(job?.counts ?? "{}") as Record<string, number>,
    weights: sha256Of(path.join(folder, "model.safetensors")),
    card: JSON.parse(String(card)) as unknown,
  };
}

test.skipIf(aboutBubblewrap || why !== null)(
  `kill -9 of the worker at ${KILLS} moments of a pretraining changes nothing of the checkpoint`,
  async () => {
    const calm = await pretrained("calm", 0);
    expect(calm).toMatchObject({
      status: "done",
      items: 6,
      counts: { demonstrations: 54, steps: 250, checkpoints: 1 },
    });
    expect(await pretrained("killed", KILLS)).toEqual(calm);
  },
  600_000,
);
