import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { samplePace } from "./pace";
import { behaviorProtocol } from "./settings";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const base = { use: "embedded", options: { name: "tiny-base" } };
const wanted = (over: object = {}) => behaviorProtocol.parse({ policies: [base], ...over });

beforeEach(() => {
  db = openMemoryDb();
  sql("insert into checkpoint (id, name, kind) values (1, 'tiny-base', 'embedded')");
  sql("insert into prefix (id, study_id, step_id, status) values (1, 1, 1, 'kept')");
});

/** A measurement of `samples` samples that began at `at` and took `ms`. */
function ran(ms: number, samples: number, at: number, over: object = {}, status = "done"): void {
  const { lastInsertRowid: job } = sql(
    "insert into job (kind, title, params, status, requested_by, started_at, finished_at) values ('measure', 't', '{}', ?, 't', ?, ?)",
    ...[status, at, at + ms],
  );
  const { lastInsertRowid: id } = sql(
    "insert into evaluation (study_id, kind, name, protocol, job_id) values (1, 'misbehavior-rate', 'm', ?, ?)",
    ...[JSON.stringify(wanted(over)), job],
  );
  for (let n = 1; n <= samples; n++)
    sql(
      "insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number) values (?, 1, 1, 1, ?)",
      ...[id, n],
    );
}

test("the pace is that of measurements of the same kind; of another kind, or of none, it is not known", () => {
  expect(samplePace(db, wanted())).toBeNull();
  ran(1000, 10, 100, { policies: [{ use: "expert", options: {} }] });
  ran(9000, 10, 100, { outcome: true });
  ran(7000, 10, 100, { judges: [{ use: "model", options: { model: "m" } }] });
  ran(50, 10, 100, {}, "failed");
  expect(samplePace(db, wanted())).toBeNull();
  ran(2000, 10, 100);
  expect(samplePace(db, wanted())).toEqual({ ms: 200, of: "here" });
  // Another checkpoint and a learned judge beside are the same kind.
  const both = [base, { use: "embedded", options: { name: "trained" } }];
  const judges = [
    { use: "rules", options: {} },
    { use: "learned", options: { name: "j" } },
  ];
  expect(samplePace(db, wanted({ policies: both, judges }))).toEqual({ ms: 200, of: "here" });
  expect(samplePace(db, wanted({ outcome: true }))).toEqual({ ms: 900, of: "here" });
});

test("one measurement that waited over night is not the pace", () => {
  ran(2000, 10, 100);
  ran(2200, 10, 200);
  ran(36_000_000, 10, 300);
  expect(samplePace(db, wanted())).toEqual({ ms: 220, of: "here" });
});

test("before the first measurement here, the pace is the loaded study's, and said to be", () => {
  ran(5000, 10, 100);
  sql("insert into setting (key, value, updated_at) values ('shipped', '{}', 1000)");
  expect(samplePace(db, wanted())).toEqual({ ms: 500, of: "study" });
  ran(1000, 10, 2000);
  expect(samplePace(db, wanted())).toEqual({ ms: 100, of: "here" });
});
