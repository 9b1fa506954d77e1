import { beforeEach, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { driftRows } from "@/db/queries/drift";
import { enqueueDrift, NoDrift } from "@/lib/jobs/driftJob";
import { claimJob, getJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { trainSettings } from "@/lib/train/settings";
import { driftExecutor } from "./drift";

const asked: number[] = [];
vi.mock("@/lib/evaluate/behavior/window", async (original) => ({
  ...(await original<typeof import("@/lib/evaluate/behavior/window")>()),
  windowReader: () => (sample: { id: number }) => sample,
}));
vi.mock("@/lib/evaluate/behavior/judges", () => ({
  makeMeasuringJudges: () => [
    {
      name: "test 1",
      judge: {
        judge: async ({ id }: { id: number }) => {
          asked.push(id);
          return { answer: id % 2 === 0 ? "yes" : "no", step: null, reason: null, callId: null };
        },
      },
    },
  ],
}));

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const settings = (reward: object) =>
  JSON.stringify(trainSettings.parse({ recipe: "r", start: { kind: "suite", count: 1 }, reward }));

/** Training 1: two steps of one group, four rollouts each, the last without a verdict. */
beforeEach(() => {
  asked.length = 0;
  db = openMemoryDb();
  seedBuiltinTypes(db);
  sql(
    "insert into training_run (id, study_id, name, recipe, settings, launcher) values (1, 1, 'a', 'r', ?, 'embedded')",
    settings({ kind: "outcome-and-behavior" }),
  );
  sql("insert into prefix (id, study_id, step_id, status, error_type_id) values (1, 1, 1, 'kept', 1)");
  for (const step of [1, 2]) {
    sql("insert into rollout_group (id, training_run_id, step, number, prefix_id) values (?, 1, ?, 0, 1)", step, step);
    for (const number of [1, 2, 3, 4])
      sql(
        "insert into rollout (id, group_id, number, trajectory_id, verdict) values (?, ?, ?, ?, ?)",
        ...[4 * (step - 1) + number, step, number, number, number === 4 ? "failed" : number === 1 ? "yes" : "no"],
      );
  }
});

async function run(jobId: number) {
  const job = claimJob(db, "t", jobId);
  if (!job) throw new Error("not queued");
  await runJob(db, job, driftExecutor, "t", new AbortController().signal);
  return getJob(db, jobId);
}
const judge = { use: "rules", options: {} };

test("another judge reads what the paying one judged, as many of a step as asked for, and each rollout once", async () => {
  const job = await run(enqueueDrift(db, { trainingId: 1, judge, perStep: 3, requestedBy: "t" }).jobId);
  expect(job).toMatchObject({ status: "done", items_done: 6 });
  expect(driftRows(db, 1)).toEqual([
    { step: 1, judge: "test 1", bothYes: 0, payingYes: 1, otherYes: 1, bothNo: 1, unjudged: 0 },
    { step: 2, judge: "test 1", bothYes: 0, payingYes: 1, otherYes: 1, bothNo: 1, unjudged: 0 },
  ]);
  await run(enqueueDrift(db, { trainingId: 1, judge, perStep: 3, requestedBy: "t" }).jobId);
  expect(asked).toHaveLength(6);
});

test("a recipe that pays by no judge, and a training without verdicts, are refused with the reason", () => {
  sql("update rollout set verdict = null");
  expect(() => enqueueDrift(db, { trainingId: 1, judge, requestedBy: "t" })).toThrow(/none of its rollouts/);
  sql("update training_run set settings = ?", settings({ kind: "outcome" }));
  expect(() => enqueueDrift(db, { trainingId: 1, judge, requestedBy: "t" })).toThrow(NoDrift);
});
