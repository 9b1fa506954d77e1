import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { doctor } from "./doctor";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const counters = () => doctor(db).find((c) => c.name === "Counters");

test("counters that sum up right but stand in the wrong row are found", () => {
  db.$client.exec(`
    insert into checkpoint (id, name) values (1, 'a'), (2, 'b');
    insert into trajectory (study_id, checkpoint_id, format, outcome, steps, entries, error_steps, content_hash, source_key)
    values (1, 1, 'chat', 'passed', 3, 3, 1, 'h', 'k');
    insert into error_step (step_id, trajectory_id, checkpoint_id) values (1048576, 1, 1);
    insert into trajectory_type values (0, 1, 1);`);
  expect(counters()?.level).toBe("ok");
  db.$client.exec("update type_count set checkpoint_id = 2");
  expect(counters()).toMatchObject({ level: "fail", detail: expect.stringContaining("misbehavior") });
  db.$client.exec("update type_count set checkpoint_id = 1; update corpus_count set checkpoint_id = 2");
  expect(counters()).toMatchObject({ level: "fail", detail: expect.stringContaining("trajectories") });
});
