import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "./client";
import { SPAN } from "./ids";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const addTrajectory = (hash: string, outcome = "passed") =>
  db.$client
    .prepare(
      `insert into trajectory (study_id, environment_id, checkpoint_id, format, outcome, steps, entries, error_steps, content_hash, source_key)
       values (1, 7, 3, 'chat', ?, 10, 12, 2, ?, ?)`,
    )
    .run(outcome, hash, hash).lastInsertRowid as number;
const corpus = () =>
  db.$client.prepare("select trajectories, steps, error_steps from corpus_count where trajectories > 0").all();
const types = () =>
  db.$client.prepare("select scope, error_steps, trajectories from type_count where trajectories > 0").all();

beforeEach(() => {
  db.$client.exec(
    "insert into environment (id, name) values (7, 'e'); insert into checkpoint (id, name) values (3, 'm');",
  );
});

test("counters follow inserts, updates, supersession and deletion of trajectories", () => {
  const a = addTrajectory("a");
  const b = addTrajectory("b");
  expect(corpus()).toEqual([{ trajectories: 2, steps: 20, error_steps: 4 }]);
  db.$client.prepare("update trajectory set error_steps = 5 where id = ?").run(a);
  expect(corpus()).toEqual([{ trajectories: 2, steps: 20, error_steps: 7 }]);
  db.$client.prepare("update trajectory set superseded_by = ? where id = ?").run(b, a);
  expect(corpus()).toEqual([{ trajectories: 1, steps: 10, error_steps: 2 }]);
  db.$client.prepare("delete from trajectory where id = ?").run(a);
  db.$client.prepare("delete from trajectory where id = ?").run(b);
  expect(corpus()).toEqual([]);
});

test("type counters follow trajectory_type and go with the trajectory", () => {
  const a = addTrajectory("a");
  db.$client.prepare("insert into trajectory_type values (0, ?, 2), (-1, ?, 1)").run(a, a);
  expect(types()).toEqual([
    { scope: -1, error_steps: 1, trajectories: 1 },
    { scope: 0, error_steps: 2, trajectories: 1 },
  ]);
  db.$client.prepare("update trajectory_type set error_steps = 4 where scope = 0").run();
  expect(types()[1]).toEqual({ scope: 0, error_steps: 4, trajectories: 1 });
  db.$client.prepare("delete from trajectory where id = ?").run(a);
  expect(types()).toEqual([]);
});

test("type counters follow a trajectory to another environment or checkpoint, and leave with its supersession", () => {
  const [a, b] = [addTrajectory("a"), addTrajectory("b")];
  db.$client.prepare("insert into trajectory_type values (0, ?, 2), (0, ?, 3)").run(a, b);
  db.$client
    .prepare("insert into error_step (step_id, trajectory_id, environment_id, checkpoint_id) values (?, ?, 7, 3)")
    .run(a * SPAN, a);
  db.$client.exec("insert into checkpoint (id, name) values (4, 'n')");
  db.$client.prepare("update trajectory set checkpoint_id = 4 where id = ?").run(a);
  const byCheckpoint = () =>
    db.$client
      .prepare("select checkpoint_id, error_steps, trajectories from type_count where trajectories > 0 order by 1")
      .raw()
      .all();
  expect(byCheckpoint()).toEqual([
    [3, 3, 1],
    [4, 2, 1],
  ]);
  expect(db.$client.prepare("select checkpoint_id from error_step").pluck().get()).toBe(4);
  db.$client.prepare("update trajectory set superseded_by = ?, checkpoint_id = 3 where id = ?").run(b, a);
  expect(byCheckpoint()).toEqual([[3, 3, 1]]);
  expect(db.$client.prepare("select min(error_steps), min(trajectories) from type_count").raw().get()).toEqual([0, 0]);
});

test("sub-trajectories move below the reading that supersedes their parent's", () => {
  const [parent, child, next] = [addTrajectory("p"), addTrajectory("c"), addTrajectory("n")];
  db.$client.prepare("update trajectory set parent_id = ? where id = ?").run(parent, child);
  db.$client.prepare("update trajectory set superseded_by = ? where id = ?").run(next, parent);
  expect(db.$client.prepare("select parent_id from trajectory where id = ?").pluck().get(child)).toBe(next);
  expect(corpus()).toEqual([{ trajectories: 2, steps: 20, error_steps: 4 }]);
});

test("deleting a trajectory takes its steps and their text index, and no one else's", () => {
  const [a, b] = [addTrajectory("a"), addTrajectory("b")];
  for (const id of [a, b]) {
    db.$client
      .prepare("insert into step (id, kind, preview, output_chars, chunk) values (?, 'agent', 'ls', 0, 0)")
      .run(id * SPAN + 3);
    db.$client
      .prepare("insert into step_fts (rowid, command, thinking, output) values (?, 'needle', '', '')")
      .run(id * SPAN + 3);
  }
  db.$client.prepare("delete from trajectory where id = ?").run(a);
  expect(db.$client.prepare("select id from step").pluck().all()).toEqual([b * SPAN + 3]);
  expect(db.$client.prepare("select rowid from step_fts where step_fts match 'needle'").pluck().all()).toEqual([
    b * SPAN + 3,
  ]);
});

test("a deleted trajectory leaves the numbers of its rollout, and takes the truth about its steps", () => {
  const [a, b] = [addTrajectory("a"), addTrajectory("b")];
  db.$client.exec(
    "insert into profile (id, study_id, job_id, checkpoint_id, name, mode, settings, seed) values (1, 1, 1, 3, 'p', 'catch', '{}', 1)",
  );
  for (const [number, id] of [a, b].entries()) {
    db.$client
      .prepare(
        "insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status, steps) values (1, 7, ?, ?, 'finished', 4)",
      )
      .run(number, id);
    db.$client.prepare("insert into trial_step (step_id, profile_id) values (?, 1)").run(id * SPAN + 3);
  }
  db.$client.prepare("delete from trajectory where id = ?").run(a);
  expect(db.$client.prepare("select trajectory_id, steps from profile_rollout order by number").raw().all()).toEqual([
    [null, 4],
    [b, 4],
  ]);
  expect(db.$client.prepare("select step_id from trial_step").pluck().all()).toEqual([b * SPAN + 3]);
});
