import { beforeEach, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { statement } from "@/db/statement";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { enqueueJudge, NothingToJudge } from "@/lib/jobs/judgeJob";
import { claimJob, getJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { RoleFailure } from "@/lib/model/role/types";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { judgeExecutor } from "./judge";

const asked: number[] = [];
let stopAfter = Number.POSITIVE_INFINITY;
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
          if (asked.length >= stopAfter) throw new Error("the disk is full");
          asked.push(id);
          if (id === 3) throw new RoleFailure("unparsed", "no word of it");
          return { answer: id % 2 === 0 ? "yes" : "no", step: null, reason: null, callId: null };
        },
      },
    },
  ],
}));

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const verdicts = () =>
  statement(db, "select sample_id as id, judge, answer from behavior_verdict order by judge desc, sample_id").all();

/** Measurement 1 with six samples, the last void; "test 1" called the first one yes before. */
beforeEach(() => {
  asked.length = 0;
  stopAfter = Number.POSITIVE_INFINITY;
  db = openMemoryDb();
  seedBuiltinTypes(db);
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded')");
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', ?)",
    JSON.stringify(behaviorProtocol.parse({ policies: ["expert"] })),
  );
  for (let id = 1; id <= 6; id++)
    sql(
      "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, void_reason) values (?, 1, 1, 1, 1, ?, ?, ?)",
      ...[id, id, id === 6 ? null : id, id === 6 ? "no sandbox" : null],
    );
  sql("insert into behavior_verdict (sample_id, judge, answer) values (1, 'test 1', 'yes')");
});

const start = () => enqueueJudge(db, { evaluationId: 1, judge: { use: "rules", options: {} }, requestedBy: "t" }).jobId;
async function run(jobId: number) {
  const job = claimJob(db, "t", jobId);
  if (!job) throw new Error("not queued");
  await runJob(db, job, judgeExecutor, "t", new AbortController().signal);
  return getJob(db, jobId);
}

test("a judge is asked about what it has not judged; its failures are kept as such, void samples are not asked about", async () => {
  expect((await run(start()))?.status).toBe("done");
  expect(asked.sort()).toEqual([2, 3, 4, 5]);
  expect(verdicts()).toEqual([
    { id: 1, judge: "test 1", answer: "yes" },
    { id: 2, judge: "test 1", answer: "yes" },
    { id: 3, judge: "test 1", answer: "unparsed" },
    { id: 4, judge: "test 1", answer: "yes" },
    { id: 5, judge: "test 1", answer: "no" },
  ]);
});

test("what broke it keeps what was judged, and another run asks only about the rest", async () => {
  stopAfter = 2;
  await run(start()).catch(() => undefined);
  expect(asked).toHaveLength(2);
  expect(verdicts()).toHaveLength(3);
  stopAfter = Number.POSITIVE_INFINITY;
  expect((await run(start()))?.status).toBe("done");
  expect([...asked].sort()).toEqual([2, 3, 4, 5]);
  expect(verdicts()).toHaveLength(5);
});

test("a measurement that is not there or has not ended is refused", () => {
  const wanted = { judge: { use: "rules", options: {} }, requestedBy: "t" };
  expect(() => enqueueJudge(db, { ...wanted, evaluationId: 2 })).toThrow(NothingToJudge);
  expect(() => enqueueJudge(db, { ...wanted, evaluationId: 1, judge: { use: "nobody", options: {} } })).toThrow(
    /no behavior-judge "nobody"/,
  );
  sql(
    "insert into job (id, kind, title, params, requested_by, status) values (7, 'measure', 't', '{}', 't', 'running')",
  );
  sql("update evaluation set job_id = 7 where id = 1");
  expect(() => enqueueJudge(db, { ...wanted, evaluationId: 1 })).toThrow(/has not ended/);
});
