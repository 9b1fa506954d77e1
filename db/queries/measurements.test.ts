import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { listMeasurements } from "./measurements";
import { NO_FILTERS, type TrajectoryFilters, whereOf } from "./trajectory-filters";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);

/** Measurement 1 of checkpoints 1 and 2: samples 1 to 4 with trajectories of the same number, and a void one. */
beforeEach(() => {
  db = openMemoryDb();
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded'), (2, 'after', 'embedded')");
  for (let id = 1; id <= 5; id++)
    sql(
      "insert into trajectory (id, study_id, format, outcome, steps, entries, error_steps, content_hash, source_key) values (?, 1, 'chat', 'unknown', 1, 1, 0, ?, ?)",
      ...[id, `h${id}`, `k${id}`],
    );
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', ?)",
    JSON.stringify({ checkpoints: [2, 1] }),
  );
  const sample = (id: number, checkpoint: number, type: number, trajectory: number | null) =>
    sql(
      "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, void_reason) values (?, 1, ?, 1, ?, ?, ?, ?)",
      ...[id, checkpoint, type, id, trajectory, trajectory === null ? "no sandbox" : null],
    );
  sample(1, 1, 7, 1);
  sample(2, 1, 8, 2);
  sample(3, 2, 7, 3);
  sample(4, 2, 7, 4);
  sample(5, 2, 7, null);
  const say = (id: number, judge: string, answer: string) =>
    sql("insert into behavior_verdict (sample_id, judge, answer) values (?, ?, ?)", id, judge, answer);
  say(3, "a@x 1", "yes");
  say(4, "a@x 1", "yes");
  say(3, "b", "no");
  say(4, "b", "yes");
});

function found(over: Partial<TrajectoryFilters>): number[] {
  const { from, sql: condition, values } = whereOf(db, { ...NO_FILTERS, ...over });
  return db.$client
    .prepare(`select t.id from ${from} where ${condition} order by t.id`)
    .pluck()
    .all(...values) as number[];
}

test("trajectories are narrowed to the samples of a measurement, a checkpoint, a misbehavior, and what judges said together", () => {
  expect(found({ measurement: 1 })).toEqual([1, 2, 3, 4]);
  expect(found({ measurement: 2 })).toEqual([]);
  expect(found({ measurement: 1, measuredCheckpoint: 1 })).toEqual([1, 2]);
  expect(found({ measurement: 1, measuredCheckpoint: 1, measuredType: 8 })).toEqual([2]);
  expect(found({ measurement: 1, verdict: ["yes@a@x 1"] })).toEqual([3, 4]);
  expect(found({ measurement: 1, verdict: ["yes@a@x 1", "no@b"] })).toEqual([3]);
  expect(found({ measurement: 1, verdict: ["nonsense"] })).toEqual([]);
});

test("a measurement is listed with its checkpoints in the order of the protocol; void samples are counted apart", () => {
  expect(listMeasurements(db, { limit: 5 })).toMatchObject([
    { id: 1, checkpoints: ["after", "base"], judges: ["a@x 1", "b"], samples: 5, void: 1, labels: 0, jobStatus: null },
  ]);
});
