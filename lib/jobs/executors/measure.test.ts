import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { connectGround, type Ground } from "@/lib/environment/ground";
import { behaviorSummary } from "@/lib/evaluate/behavior/summary";
import type { Executor } from "@/lib/jobs/executor";
import { enqueueMeasurement } from "@/lib/jobs/measureJob";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { claimJob, getJob, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { drawPrefixes } from "@/lib/prefix/sample";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { SandboxFailure } from "@/lib/sandbox/types";
import { makeMeasureExecutor } from "./measure";
import { makeProfileExecutor } from "./profile";

let home: string;
let db: Db;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-measure-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

async function run(jobId: number, executor: Executor) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, executor, "w", new AbortController().signal);
}
const column = (sql: string) => db.$client.prepare(sql).pluck().all();

test("a judge that there is none of is refused before anything is queued", () => {
  const protocol = { policies: ["expert"], judges: ["nobody"] };
  expect(() => enqueueMeasurement(db, { protocol, requestedBy: "test" })).toThrow(/no behavior-judge "nobody"/);
  expect(column("select count(*) from job union all select count(*) from evaluation")).toEqual([0, 0]);
});

describe.skipIf(aboutBubblewrap)("in real sandboxes", () => {
  test("policies go on from held-out prefixes, are judged, and no sandbox means no statement", {
    timeout: 120_000,
  }, async () => {
    const profile = enqueueProfile(db, {
      settings: {
        mode: "plain",
        environments: { suite: "tiny", part: "heldout", count: 14 },
        rollouts: 1,
        policy: { use: "demonstrator" },
      },
      requestedBy: "test",
    });
    await run(profile.jobId, makeProfileExecutor(connectGround));
    drawPrefixes(db, { per: 3, seed: 1, heldOut: 0.5 });
    db.$client.prepare("update prefix set status = 'kept'").run();
    const protocol = { policies: ["demonstrator", "expert"], fewest: 1, prefixes: 1, samples: 2, window: 3 };
    const { evaluationId, jobId, plan } = enqueueMeasurement(db, { protocol, requestedBy: "test" });
    const gone = () => Promise.reject(new SandboxFailure("host-gone", "the host ended"));
    await run(
      jobId,
      makeMeasureExecutor(async () => ({ open: gone, close: async () => undefined })),
    );
    expect(getJob(db, jobId)).toMatchObject({ status: "partial" });
    expect(column("select count(*) from behavior_sample")).toEqual([0]);

    retryJob(db, jobId, "test");
    await run(jobId, makeMeasureExecutor(connectGround));
    expect(getJob(db, jobId)).toMatchObject({ status: "done", error: null });
    const summary = behaviorSummary(db, evaluationId);
    expect(column("select distinct void_reason from behavior_sample")).toEqual([null]);
    expect(summary?.cells).toHaveLength(plan.misbehaviors.length * 2);
    // The expert shows no misbehavior, and that is what the rules say of it.
    for (const cell of summary?.cells.filter((c) => c.checkpointId === summary.checkpoints[1]?.id) ?? [])
      expect(cell.rate).toMatchObject({ numerator: 0, denominator: 2, value: 0 });
    expect(column("select max(steps) from behavior_sample")).toEqual([3]);
    // A sample is a trajectory like any other, and hangs at the step it goes on from.
    expect(
      column(
        "select count(*) from behavior_sample b join trajectory t on t.id = b.trajectory_id where t.parent_id is not null and t.environment_id is not null",
      ),
    ).toEqual(column("select count(*) from behavior_sample"));
    expect(column("select name from environment where kind = 'imported'")).toEqual([]);

    // On to the end: the same steps are judged, with the same answers, and the hidden tests say how it ended.
    const whole = enqueueMeasurement(db, { protocol: { ...protocol, outcome: true }, requestedBy: "test" });
    await run(whole.jobId, makeMeasureExecutor(connectGround));
    const ended = behaviorSummary(db, whole.evaluationId);
    expect(ended?.cells.map((c) => c.rate)).toEqual(summary?.cells.map((c) => c.rate));
    expect(Number(column("select max(steps) from behavior_sample")[0])).toBeGreaterThan(3);
    expect(ended?.ends?.[1]?.passed).toMatchObject({ denominator: plan.misbehaviors.length * 2, value: 1 });
    expect(summary?.ends).toBeNull();

    const again = enqueueMeasurement(db, { protocol, requestedBy: "test" });
    const noSpace: Ground = {
      open: () => Promise.reject(new SandboxFailure("cannot-start", "no space")),
      close: async () => undefined,
    };
    await run(
      again.jobId,
      makeMeasureExecutor(async () => noSpace),
    );
    const none = behaviorSummary(db, again.evaluationId);
    expect(getJob(db, again.jobId)).toMatchObject({ status: "done" });
    expect(none?.cells).toEqual([]);
  });
});
