import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";
import { profileRollouts, profileSummary } from "@/db/queries/profiles";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { getJob } from "@/lib/jobs/queue";
import { profileDigest } from "@/lib/profile/digest";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { seeded } from "./bench/random";
import { prepareIndex } from "./support/prepareIndex";

/** Only in the long test run: reruns and trainings are killed in every one. */
const KILLS = Number(process.env.MISSTEP_KILLS ?? 0);
const why = KILLS === 0 ? "npm run test:long runs it" : null;
if (why) process.stdout.write(`a profile under kill -9: skipped, ${why}\n`);
const root = path.resolve(import.meta.dirname, "..");
const ENVIRONMENTS = 10;

let dir: string;
let db: Db;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-profile-kill-"));
  db = openDb(path.join(dir, "misstep.db"));
  prepareIndex(db);
});
afterAll(() => {
  db.$client.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

const env = () => ({ ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: dir, MISSTEP_ROOT: root });
const startWorker = (): ChildProcess =>
  spawn(process.execPath, ["dist/worker.mjs"], { cwd: root, env: env(), stdio: ["ignore", "ignore", "ignore", "ipc"] });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Processes and mounts that belong to this home. */
const left = (): string[] =>
  [
    ...execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n"),
    ...fs.readFileSync("/proc/self/mounts", "utf8").split("\n"),
  ].filter((line) => line.includes(path.basename(dir)));

const start = () =>
  enqueueProfile(db, {
    settings: {
      environments: { suite: "tiny", count: ENVIRONMENTS },
      policy: "demonstrator",
      rollouts: 2,
      parallel: 4,
      seed: 3,
    },
    requestedBy: "test",
  });

/** Runs a profile to its end under workers of which the first `kills` are killed, each soon after it stored something. */
async function run(jobId: number, kills: number): Promise<number> {
  const random = seeded(kills + 1);
  const done = () => getJob(db, jobId)?.items_done ?? 0;
  let killed = 0;
  for (;;) {
    const worker = startWorker();
    const end = new Promise((resolve) => worker.once("exit", resolve));
    const before = done();
    let killAt = Number.POSITIVE_INFINITY;
    while (!getJob(db, jobId)?.finished_at && Date.now() < killAt) {
      if (killed < kills && killAt === Number.POSITIVE_INFINITY && done() > before)
        killAt = Date.now() + random() * 1000;
      await sleep(10);
    }
    worker.kill("SIGKILL");
    await end;
    if (getJob(db, jobId)?.finished_at) return killed;
    killed++;
  }
}

test.skipIf(aboutBubblewrap || why !== null)(
  `kill -9 of the worker at ${KILLS} random moments of a profile: the same contents as undisturbed, and nothing left behind`,
  async () => {
    const disturbed = start();
    expect(await run(disturbed.jobId, KILLS)).toBeGreaterThan(0);
    const all = ENVIRONMENTS * 2;
    expect(getJob(db, disturbed.jobId)).toMatchObject({ status: "done", items_done: all, items_failed: 0 });
    expect(profileRollouts(db, disturbed.profileId, { limit: 99 })).toHaveLength(all);
    const undisturbed = start();
    await run(undisturbed.jobId, 0);
    const [one, other] = [profileSummary(db, disturbed.profileId), profileSummary(db, undisturbed.profileId)];
    expect(one?.void).toBe(0);
    expect(one?.errorSteps).toBe(other?.errorSteps);
    expect(getJob(db, disturbed.jobId)?.counts).toBe(getJob(db, undisturbed.jobId)?.counts);
    expect(profileDigest(db, disturbed.profileId)).toBe(profileDigest(db, undisturbed.profileId));
    for (let i = 0; i < 100 && left().length > 0; i++) await sleep(100);
    expect(left()).toEqual([]);
  },
  600_000,
);
