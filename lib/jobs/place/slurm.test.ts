import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDb, type Db, openDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { executors } from "@/lib/jobs/executors";
import { cancelJob, claimJob, enqueue, getJob, pauseJob, reclaimJobs, resumeJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { enqueueTraining } from "@/lib/jobs/trainJob";
import { loadCheckpoint } from "@/lib/model/policy/checkpoint";
import { prefixOfStep } from "@/lib/prefix/sample";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { trainingDigest } from "@/lib/train/run/digest";
import { slurmSettings, writeSlurm } from "./settings";
import { taskStates } from "./slurm/client";
import { jobFolder } from "./slurm/folder";
import { readPlaced } from "./slurm/placed";
import { onSlurm } from "./slurm/run";
import { aboutSlurm, startSlurm, type TestSlurm } from "./slurm/testing";

const root = path.resolve(import.meta.dirname, "../../..");
const why = aboutSlurm ?? aboutBubblewrap ?? null;
if (why) process.stdout.write(`jobs on Slurm: skipped, ${why}\n`);
else if (!process.env.MISSTEP_KILLS) process.stdout.write("a training on Slurm: skipped, npm run test:long runs it\n");

describe.skipIf(why)("on a real one-node Slurm", () => {
  let base: string;
  let home: string;
  let db: Db;
  let slurm: TestSlurm;
  let prefixes: number[];
  const PACE = { least: 150, most: 600, grace: 2000 };
  const COMMANDS = ["seq 3", "sleep 0.4; echo slept", "false"];

  beforeAll(async () => {
    base = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-slurm-"));
    // What Slurm and a shell would take for a pattern, a list, a quote.
    home = path.join(base, "a home, 50% 'mine'");
    process.env.MISSTEP_HOME = home;
    const file = path.join(base, "commands.json");
    fs.writeFileSync(file, JSON.stringify(["ls /app", ...COMMANDS]));
    const env = { ...process.env, NODE_OPTIONS: "", MISSTEP_ROOT: root };
    const record = ["scripts/misstep.mjs", "record", "count-refusals", "--commands", file, "--json"];
    const recorded = spawnSync(process.execPath, record, { cwd: root, env, encoding: "utf8" });
    if (recorded.status !== 0) throw new Error(recorded.stderr);
    db = openDb(path.join(home, "misstep.db"));
    const id = db.$client.prepare("select max(id) from trajectory").pluck().get() as number;
    prefixes = COMMANDS.map((_, i) => prefixOfStep(db, stepId(id, i + 2)));
    // Four tasks an array at most, and finished tasks are soon forgotten.
    slurm = await startSlurm({ MaxArraySize: 5, MinJobAge: 2 });
    process.env.SLURM_CONF = slurm.conf;
    writeSlurm({ cpusPerTask: 1, itemsPerTask: 1, concurrent: 3 });
  }, 120_000);
  afterAll(async () => {
    await slurm?.stop();
    db?.$client.close();
    closeDb();
    fs.rmSync(base, { recursive: true, force: true });
  }, 60_000);

  const follow = async (id: number, stop = new AbortController().signal) => {
    const job = claimJob(db, "w", id);
    if (!job) throw new Error("nothing to claim");
    await runJob(db, job, onSlurm(executors[job.kind] as (typeof executors)[string], PACE), "w", stop);
  };
  const queueRerun = (repeats: number) =>
    enqueue(db, { kind: "rerun", title: "r", params: { prefixes, repeats }, place: "slurm", requestedBy: "test" });
  const done = (id: number) => getJob(db, id)?.items_done ?? 0;
  const until = async (ready: () => boolean) => {
    while (!ready()) await delay(20);
  };
  const log = (id: number) =>
    db.$client.prepare("select message from job_event where job_id = ? order by id").pluck().all(id).join("\n");
  const rerunsOf = (id: number) =>
    db.$client
      .prepare(
        "select count(*) as n, count(distinct prefix_id || '/' || repeat) as different from rerun where job_id = ?",
      )
      .get(id);

  test("the node dies, a worker dies, the list is longer than an array: every item is done and counted once", async () => {
    const id = queueRerun(2);
    const stop = new AbortController();
    const first = follow(id, stop.signal);
    await until(() => done(id) >= 2);
    // The worker goes; its tasks stay with Slurm.
    stop.abort();
    await first;
    expect(readPlaced(db, id).submissions).not.toEqual([]);
    reclaimJobs(db, true);
    const second = follow(id);
    await until(() => done(id) >= 4);
    await slurm.killNode();
    await slurm.startNode();
    const hurry = setInterval(() => slurm.hurry(), 300);
    await second;
    clearInterval(hurry);
    expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 6, items_failed: 0 });
    expect(JSON.parse(getJob(db, id)?.counts ?? "{}")).toMatchObject({ reruns: 6, exact: 6 });
    expect(rerunsOf(id)).toEqual({ n: 6, different: 6 });
    expect(log(id)).toMatch(/submitted 4 items in 4 tasks as Slurm job \d+; 2 tasks more follow/);
    expect(log(id)).toMatch(/follows \d Slurm job/);
  }, 120_000);

  test("pausing takes the tasks back, resuming submits what is open, cancelling leaves nothing behind", async () => {
    const id = queueRerun(2);
    const first = follow(id);
    await until(() => done(id) >= 1);
    pauseJob(db, id, "test");
    await first;
    expect(getJob(db, id)).toMatchObject({ status: "paused" });
    expect(done(id)).toBeLessThan(6);
    expect(readPlaced(db, id).submissions).toEqual([]);
    resumeJob(db, id, "test");
    const second = follow(id);
    await until(() => readPlaced(db, id).submissions.some(({ slurmId }) => slurmId !== null));
    const ids = readPlaced(db, id).submissions.flatMap(({ slurmId }) => slurmId ?? []);
    cancelJob(db, id, "test");
    await second;
    expect(getJob(db, id)).toMatchObject({ status: "cancelled", items_failed: 0 });
    const left = [...(await taskStates(ids)).values()].filter(({ state }) => /RUNNING|PENDING/.test(state));
    expect(left).toEqual([]);
  }, 60_000);

  test("an item whose task dies again and again fails alone, with what the task said", async () => {
    writeSlurm({ cpusPerTask: 1, itemsPerTask: 5, tries: 1, command: "echo no node here; exit 7; true" });
    const id = queueRerun(1);
    await follow(id);
    writeSlurm({ cpusPerTask: 1, itemsPerTask: 1, concurrent: 3 });
    expect(getJob(db, id)).toMatchObject({ status: "partial", items_failed: 3 });
    expect(log(id)).toContain("no node here");
    // A controller under load may not tell the exit code of a death; one of the two is enough.
    expect(log(id)).toMatch(/ended as FAILED \(exit code 7:0\)/);
    expect(log(id)).toMatch(/its task ended as .+ 2 times/);
  }, 60_000);

  test("no key and nothing of the environment goes to the cluster", async () => {
    fs.writeFileSync(path.join(home, "keys.json"), '{"a":"sk-very-secret"}');
    process.env.SOME_API_KEY = "sk-very-secret";
    const command = "env; sleep 1; exit 3; true";
    writeSlurm({ cpusPerTask: 1, itemsPerTask: 5, tries: 0, command });
    const id = queueRerun(1);
    await follow(id);
    const { root: folder } = jobFolder(slurmSettings.parse({}), id);
    const texts = fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name))
      .filter((file) => fs.statSync(file).isFile())
      .map((file) => fs.readFileSync(file, "latin1"));
    expect(texts.some((text) => text.includes("SLURM_ARRAY_TASK_ID"))).toBe(true);
    expect(texts.filter((text) => text.includes("sk-very-secret"))).toEqual([]);
    delete process.env.SOME_API_KEY;
    writeSlurm({ cpusPerTask: 1, itemsPerTask: 1, concurrent: 3 });
  }, 60_000);

  test.skipIf(!process.env.MISSTEP_KILLS)(
    "a training there comes to the same weights, rollouts and numbers as here",
    async () => {
      const settings = {
        recipe: "outcome-random",
        start: { kind: "suite", count: 3 },
        reward: { kind: "outcome" },
        steps: 2,
        group: 3,
        batch: 1,
        warmup: 0,
      } as const;
      const here = enqueueTraining(db, { settings, requestedBy: "test" });
      const job = claimJob(db, "w", here.jobId);
      if (!job) throw new Error("nothing to claim");
      await runJob(db, job, executors.train as (typeof executors)[string], "w", new AbortController().signal);
      const there = enqueueTraining(db, { settings, place: "slurm", requestedBy: "test" });
      await follow(there.jobId);
      expect(getJob(db, there.jobId)).toMatchObject({ status: "done", items_done: 2 });
      expect(trainingDigest(db, there.runId)).toBe(trainingDigest(db, here.runId));
      const weights = async (name: string) => (await loadCheckpoint(`${name}-step-2`)).weights;
      expect(await weights(there.name)).toEqual(await weights(here.name));
    },
    240_000,
  );
});
