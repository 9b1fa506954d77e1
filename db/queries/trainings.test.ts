import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { quadrants, usesOfPrefix } from "./trainings";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  const s = db.$client;
  s.exec(`insert into study (id, name) values (1, 'own') on conflict do nothing;
    insert into environment (id, name) values (1, 'e');
    insert into taxonomy (id, name, version, origin) values (1, 'mirl', 1, 'builtin');
    insert into error_type (id, taxonomy_id, slug, name, definition) values (5, 1, 'a', 'A', 'd');
    insert into prefix (id, study_id, step_id, error_type_id) values (7, 1, 99, 5), (8, 1, 98, 5);
    insert into training_run (id, study_id, name, recipe, settings, launcher) values (1, 1, 'one', 'mirl', '{}', 'embedded'),
      (2, 1, 'two', 'outcome-prefix', '{}', 'embedded');`);
  const group = s.prepare(
    "insert into rollout_group (id, training_run_id, step, number, prefix_id, environment_id, dead) values (?, ?, ?, ?, ?, 1, ?)",
  );
  const rollout = s.prepare(
    "insert into rollout (group_id, number, outcome_reward, behavior_reward, reward, void_reason) values (?, ?, ?, ?, ?, ?)",
  );
  group.run(1, 1, 1, 0, 7, null);
  rollout.run(1, 1, 1, 1, 1, null);
  rollout.run(1, 2, 1, 0, 0, null);
  rollout.run(1, 3, null, null, null, "no sandbox");
  group.run(2, 1, 4, 1, 7, "vetoed");
  rollout.run(2, 1, 1, 0, 0, null);
  rollout.run(2, 2, 0, 0, 0, null);
  group.run(3, 2, 2, 0, 7, "all-pass");
  rollout.run(3, 1, 1, null, 1, null);
  group.run(4, 1, 1, 1, 8, "all-fail");
  rollout.run(4, 1, 0, 1, 0, null);
});
afterEach(() => db.$client.close());

test("a prefix tells what each training made of it: void and unknown are in no mean", () => {
  expect(usesOfPrefix(db, 7)).toEqual([
    {
      trainingId: 2,
      training: "two",
      recipe: "outcome-prefix",
      groups: 1,
      allFail: 0,
      allPass: 1,
      vetoed: 0,
      infrastructure: 0,
      rollouts: 1,
      void: 0,
      reward: 1,
      outcomeReward: 1,
      behaviorReward: null,
      firstStep: 2,
      lastStep: 2,
    },
    {
      trainingId: 1,
      training: "one",
      recipe: "mirl",
      groups: 2,
      allFail: 0,
      allPass: 0,
      vetoed: 1,
      infrastructure: 0,
      rollouts: 5,
      void: 1,
      reward: 0.25,
      outcomeReward: 0.75,
      behaviorReward: 0.25,
      firstStep: 1,
      lastStep: 4,
    },
  ]);
  expect(usesOfPrefix(db, 1)).toEqual([]);
});

test("rollouts by outcome and behavior add up to all of them", () => {
  const [row, ...more] = quadrants(db, 1);
  expect(more).toEqual([]);
  expect(row).toEqual({ misbehavior: "A", slug: "a", both: 1, luckyPass: 2, cleanFail: 1, neither: 1, unknown: 1 });
});
