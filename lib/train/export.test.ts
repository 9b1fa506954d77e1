import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { trainingCsv, trainingJsonl } from "./export";

const ROLLOUTS = 1203;
let db: Db;
beforeAll(() => {
  db = openMemoryDb();
  const s = db.$client;
  s.exec(`insert into environment (id, name) values (1, 'an "e", with commas');
    insert into training_run (id, study_id, name, recipe, settings, launcher) values (1, 1, 'one', 'mirl', '{"group":8}', 'embedded'),
      (2, 1, 'two', 'mirl', '{}', 'embedded');
    insert into training_step (training_run_id, step, metrics) values (1, 1, '{"reward":0.5,"dead":{"vetoed":2},"kl":null}'),
      (1, 2, '{"reward":null,"dead":{"vetoed":0},"kl":0.25}'), (2, 1, '{"reward":1}');
    insert into rollout_group (id, training_run_id, step, number, environment_id, counted) values (1, 1, 1, 0, 1, 8), (2, 2, 1, 0, 1, 1);
    insert into rollout (group_id, number, reward) values (2, 1, 1);`);
  const rollout = s.prepare(
    "insert into rollout (group_id, number, reward, verdict_reason, trajectory_id) values (1, ?, ?, ?, ?)",
  );
  s.transaction(() => {
    for (let i = 1; i <= ROLLOUTS; i++) rollout.run(i, i % 2, i === 7 ? "=cmd()\nover lines" : null, 1000 + i);
  })();
});
afterAll(() => db.$client.close());

test("JSON lines hold everything of one training, over many pages, and end with the counts", () => {
  const records = [...(trainingJsonl(db, 1) ?? [])].map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records[0]).toMatchObject({ kind: "training", name: "one", settings: { group: 8 } });
  expect(records.at(-1)).toEqual({ kind: "end", steps: 2, groups: 1, rollouts: ROLLOUTS });
  const rollouts = records.filter((r) => r.kind === "rollout");
  expect(rollouts.map((r) => r.number)).toEqual(Array.from({ length: ROLLOUTS }, (_, i) => i + 1));
  expect(rollouts[6]).toMatchObject({ trajectoryId: 1007, reward: 1, verdictReason: "=cmd()\nover lines", step: 1 });
  expect(records.filter((r) => r.kind === "step").map((r) => [r.reward, r["dead.vetoed"], r.kl])).toEqual([
    [0.5, 2, null],
    [null, 0, 0.25],
  ]);
  expect(trainingJsonl(db, 9)).toBeUndefined();
});

test("each table is a CSV: unknown is empty, never 0, and texts stay in their cell", () => {
  const steps = [...trainingCsv(db, 1, "steps")].join("").split("\r\n");
  expect(steps[0]).toBe("step,checkpointId,createdAt,reward,dead.vetoed,kl");
  expect(steps[2]).toMatch(/^2,,\d+,,0,0\.25$/);
  expect([...trainingCsv(db, 1, "groups")][1]).toContain('"an ""e"", with commas"');
  const rollouts = [...trainingCsv(db, 1, "rollouts")];
  expect(rollouts).toHaveLength(1 + ROLLOUTS);
  expect(rollouts[7]).toContain('"\'=cmd()\nover lines"');
  expect([...trainingCsv(db, 2, "groups")]).toHaveLength(2);
  expect([...trainingCsv(db, 9, "steps")]).toEqual(["no steps yet\r\n"]);
});
