import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";
import { migrateDb } from "@/db/migrate";
import { getJob, isFinal } from "@/lib/jobs/queue";
import { enqueueTraining } from "@/lib/jobs/trainJob";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { sha256Of } from "@/lib/train/pretrain/train";
import { trainingDigest } from "@/lib/train/run/digest";
import { seeded } from "./bench/random";

/** Kills in the test run; set MISSTEP_KILLS for a longer one. */
const KILLS = Number(process.env.MISSTEP_KILLS ?? 1);
/** More kills need more steps to fall into. */
const STEPS = Math.max(3, Math.ceil(KILLS * 0.7));
const root = path.resolve(import.meta.dirname, "..");

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-train-kill-"));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const startWorker = (home: string): ChildProcess =>
  spawn(process.execPath, ["dist/worker.mjs"], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: home, MISSTEP_ROOT: root },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Trains in a home of its own, killing the worker `kills` times, and tells what came of it. */
async function trained(name: string, kills: number) {
  const home = path.join(dir, name);
  fs.mkdirSync(home);
  process.env.MISSTEP_HOME = home;
  const db: Db = openDb(path.join(home, "misstep.db"));
  migrateDb(db, path.join(root, "db/migrations"));
  seedBuiltinTypes(db);
  const { runId, jobId } = enqueueTraining(db, {
    name: "kill-test",
    settings: {
      recipe: "outcome-random",
      start: { kind: "suite", count: 4 },
      reward: { kind: "outcome" },
      steps: STEPS,
      batch: 1,
      group: 4,
      resample: 1,
      warmup: 0,
    },
    requestedBy: "test",
  });
  const over = () => isFinal(getJob(db, jobId)?.status ?? "queued");
  const random = seeded(kills + 1);
  for (let killed = 0; ; killed++) {
    const worker = startWorker(home);
    const end = new Promise((resolve) => worker.once("exit", resolve));
    const done = () => getJob(db, jobId)?.items_done ?? 0;
    const before = done();
    let killAt = Number.POSITIVE_INFINITY;
    while (!over() && Date.now() < killAt) {
      // In the middle of a step, after one that ended: a killed worker has to redo the one and keep the other.
      if (killed < kills && killAt === Number.POSITIVE_INFINITY && (done() > before || killed % 2 === 0))
        killAt = Date.now() + 1000 + random() * 4000;
      await sleep(20);
    }
    worker.kill("SIGKILL");
    await end;
    if (over()) break;
  }
  const job = getJob(db, jobId);
  const digest = trainingDigest(db, runId);
  db.$client.close();
  expect(job).toMatchObject({ status: "done", error: null });
  return {
    status: job?.status,
    error: job?.error,
    items: job?.items_done,
    digest,
    weights: sha256Of(path.join(home, `checkpoints/kill-test-step-${STEPS}/model.safetensors`)),
  };
}

test.skipIf(aboutBubblewrap)(
  `kill -9 of the worker at ${KILLS} moments of a training changes nothing of its rollouts and weights`,
  async () => {
    const calm = await trained("calm", 0);
    expect(calm).toMatchObject({ status: "done", items: STEPS });
    expect(await trained("killed", KILLS)).toEqual(calm);
  },
  900_000,
);
