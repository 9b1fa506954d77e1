import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SHIPPED_SETTING } from "@/db/queries/study";
import { rolloutPace } from "./dryRun";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  db.$client.exec(`insert into training_run (id, study_id, name, recipe, settings, launcher)
    values (1, 1, 'a', 'mirl', '{}', 'embedded')`);
});
afterEach(() => db.$client.close());

const step = (number: number, at: number, ms: number, rollouts: number) =>
  db.$client
    .prepare("insert into training_step (training_run_id, step, metrics, created_at) values (1, ?, ?, ?)")
    .run(number, JSON.stringify({ rollouts, ms: { total: ms } }), at);

test("the pace is that of trainings here; before the first, that of the study that was loaded, and it says so", () => {
  expect(rolloutPace(db)).toBeNull();
  step(1, 1000, 9000, 30);
  expect(rolloutPace(db)).toEqual({ ms: 300, of: "here" });
  db.$client.prepare("insert into setting (key, value, updated_at) values (?, '{}', 2000)").run(SHIPPED_SETTING);
  expect(rolloutPace(db)).toEqual({ ms: 300, of: "study" });
  step(2, 3000, 2000, 20);
  expect(rolloutPace(db)).toEqual({ ms: 100, of: "here" });
});
