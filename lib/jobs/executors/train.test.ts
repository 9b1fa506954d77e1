import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { listTrajectories } from "@/db/queries/trajectories";
import { NO_FILTERS, type TrajectoryFilters } from "@/db/queries/trajectory-filters";
import { connectGround, type Ground } from "@/lib/environment/ground";
import { claimJob, getJob, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { dryTraining, enqueueTraining, NothingToTrainOn, UnusableTraining } from "@/lib/jobs/trainJob";
import { checkpointFolder, loadCheckpoint } from "@/lib/model/policy/checkpoint";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { SandboxFailure } from "@/lib/sandbox/types";
import { trainingDigest } from "@/lib/train/run/digest";
import type { GivenTrainSettings } from "@/lib/train/settings";
import { makeTrainExecutor } from "./train";

let home: string;
let db: Db;
const never = new AbortController().signal;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-train-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

const settings = (over: Partial<GivenTrainSettings> = {}): GivenTrainSettings => ({
  recipe: "outcome-random",
  start: { kind: "suite", count: 3 },
  reward: { kind: "outcome" },
  steps: 2,
  group: 3,
  batch: 1,
  resample: 2,
  warmup: 0,
  ...over,
});
const start = (over: Partial<GivenTrainSettings> = {}) =>
  enqueueTraining(db, { settings: settings(over), requestedBy: "test" });
async function run(jobId: number, connect: (db: Db) => Promise<Ground> = connectGround, stop = never) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, makeTrainExecutor(connect), "w", stop);
}
const column = (sql: string, ...values: unknown[]) =>
  db.$client
    .prepare(sql)
    .pluck()
    .all(...values);

test("settings that cannot be run are refused before anything is queued", () => {
  expect(() => start({ base: "nobody" })).toThrow(UnusableTraining);
  expect(() => start({ start: { kind: "prefix" } })).toThrow(NothingToTrainOn);
  expect(() => start({ reward: { kind: "outcome-and-behavior" } })).toThrow(/start at prefixes/);
  const nobody = { use: "nobody", options: {} };
  expect(() => start({ reward: { kind: "rubric", writer: nobody } })).toThrow(/no rubric-writer "nobody"/);
  expect(() => start({ start: { kind: "prefix" }, reward: { kind: "outcome-and-behavior", judge: nobody } })).toThrow(
    /no behavior-judge "nobody"; this version has rules, model:NAME, learned:NAME/,
  );
  expect(() => start({ start: { kind: "pivot", profileId: 7 } })).toThrow(/choose both or neither/);
  const pivots = { start: { kind: "pivot", profileId: 7 }, reward: { kind: "equivalence" } } as const;
  expect(() => start(pivots)).toThrow(/profile 7 has no passed rollout/);
  expect(() => enqueueTraining(db, { name: "../up", settings: settings(), requestedBy: "t" })).toThrow(
    /cannot be a name/,
  );
  expect(column("select count(*) from job")).toEqual([0]);
  expect(column("select count(*) from training_run")).toEqual([0]);
});

test("a dry run refuses what the training would, its name too, and leaves nothing", () => {
  const dry = (name: string, over: Partial<GivenTrainSettings> = {}) =>
    dryTraining(db, { name, settings: settings(over), requestedBy: "t" });
  expect(dry("page-five").starts).toEqual({ kind: "task", count: 3 });
  expect(() => dry("page five")).toThrow(/"page five" cannot be a name/);
  expect(() => dry("new", { base: "nobody" })).toThrow(UnusableTraining);
  expect(column("select count(*) from training_run")).toEqual([0]);
  enqueueTraining(db, { name: "page-five", settings: settings(), requestedBy: "t" });
  expect(() => dry("page-five")).toThrow(/already/);
});

test("two trainings queue, other jobs do not wait for them", () => {
  const [first, second] = [start(), start()];
  expect(claimJob(db, "w")?.id).toBe(first.jobId);
  expect(claimJob(db, "w")).toBeUndefined();
  db.$client.prepare("insert into job (kind, title, params, requested_by) values ('scan', 's', '{}', 't')").run();
  expect(claimJob(db, "w")?.kind).toBe("scan");
  db.$client.prepare("update job set status = 'done' where id = ?").run(first.jobId);
  expect(claimJob(db, "w")?.id).toBe(second.jobId);
});

test("sandboxes that cannot start make void rollouts: no reward of 0, no update", async () => {
  const { runId, jobId } = start({ steps: 1, resample: 0 });
  const open = () => Promise.reject(new SandboxFailure("cannot-start", "no space for a root"));
  await run(jobId, async () => ({ open, close: async () => undefined }));
  expect(getJob(db, jobId)).toMatchObject({ status: "done", items_done: 1 });
  expect(column("select dead from rollout_group where training_run_id = ?", runId)).toEqual(["infrastructure"]);
  expect(column("select distinct void_reason from rollout")).toEqual(["no sandbox: no space for a root"]);
  expect(column("select count(*) from rollout where reward is not null")).toEqual([0]);
  const [metrics] = column("select metrics from training_step").map((m) => JSON.parse(String(m)));
  expect(metrics).toMatchObject({ reward: null, outcomeReward: null, void: 3, rollouts: 3, loss: null });
  const name = column("select name from checkpoint where training_step = 1")[0] as string;
  expect((await loadCheckpoint(name)).weights).toEqual((await loadCheckpoint("tiny-base")).weights);
});

test("without a sandbox host nothing is stored, and a retry goes on", async () => {
  const { jobId } = start();
  const open = () => Promise.reject(new SandboxFailure("host-gone", "the host ended"));
  await run(jobId, async () => ({ open, close: async () => undefined }));
  expect(getJob(db, jobId)).toMatchObject({ status: "failed", items_done: 0 });
  expect(column("select count(*) from rollout_group")).toEqual([0]);
  expect(retryJob(db, jobId, "test")).toMatchObject({ ok: true });
});

describe.skipIf(aboutBubblewrap)("in real sandboxes", () => {
  test("a training is the same whether it was stopped in between or not, and its rollouts can be read", async () => {
    const calm = start();
    await run(calm.jobId);
    expect(getJob(db, calm.jobId)).toMatchObject({ status: "done", items_done: 2 });

    const stopped = start();
    const stop = new AbortController();
    const connect = async (on: Db): Promise<Ground> => {
      const ground = await connectGround(on);
      let opened = 0;
      return {
        ...ground,
        open: (id) => {
          // In the middle of the second step at the latest.
          if (++opened === 8) stop.abort();
          return ground.open(id);
        },
      };
    };
    await run(stopped.jobId, connect, stop.signal);
    expect(getJob(db, stopped.jobId)?.status).toBe("queued");
    expect(getJob(db, stopped.jobId)?.items_done).toBeLessThan(2);
    await run(stopped.jobId);
    expect(trainingDigest(db, stopped.runId)).toBe(trainingDigest(db, calm.runId));
    const weights = async (name: string) => (await loadCheckpoint(`${name}-step-2`)).weights;
    expect(await weights(stopped.name)).toEqual(await weights(calm.name));
    expect(await weights(calm.name)).not.toEqual((await loadCheckpoint("tiny-base")).weights);

    const rollouts = db.$client
      .prepare(
        "select t.outcome, r.outcome_reward as o, r.reward as r, t.model from rollout r join trajectory t on t.id = r.trajectory_id",
      )
      .all() as { outcome: string; o: number; r: number; model: string }[];
    expect(rollouts.length).toBeGreaterThanOrEqual(6);
    for (const { outcome, o, r } of rollouts) {
      expect(outcome).toBe(o === 1 ? "passed" : "failed");
      expect(r).toBe(o);
    }
    expect(new Set(rollouts.map((r) => r.model))).toEqual(
      new Set([`${calm.name} (in training)`, `${stopped.name} (in training)`]),
    );
    const listed = (training: Partial<TrajectoryFilters>) =>
      listTrajectories(db, {
        filters: { ...NO_FILTERS, training: calm.runId, ...training },
        sort: "newest",
        direction: "desc",
        cursor: null,
        before: false,
        limit: 100,
      }).total;
    const all = column(
      "select count(*) from rollout r join rollout_group g on g.id = r.group_id where training_run_id = ?",
      calm.runId,
    )[0];
    expect(listed({})).toBe(all);
    expect(listed({ rewarded: "paid" }) + listed({ rewarded: "unpaid" })).toBe(all);
    expect(listed({ trainingStep: 1 }) + listed({ trainingStep: 2 })).toBe(all);
    expect(listed({ trainingStep: 3 })).toBe(0);
    const parent = column(
      "select p.name from checkpoint c join checkpoint p on p.id = c.parent_id where c.training_step = 2",
    );
    expect(parent).toEqual(["tiny-base", "tiny-base"]);
    expect(checkpointFolder(`${calm.name}-step-1`)).toBeNull();
  }, 300_000);
});
