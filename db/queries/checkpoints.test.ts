import { expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { type CheckpointRequest, checkpointFacets, checkpointRow, listCheckpoints } from "./checkpoints";

const ALL: CheckpointRequest = {
  q: "",
  kinds: [],
  sort: "newest",
  direction: "desc",
  limit: 50,
  cursor: null,
  before: false,
};

function add(db: Db, name: string, kind: string, counts: [outcome: string, t: number, s: number, e: number][] = []) {
  const id = Number(
    db.$client.prepare("insert into checkpoint (name, kind) values (?, ?)").run(name, kind).lastInsertRowid,
  );
  for (const [outcome, t, s, e] of counts)
    db.$client
      .prepare(
        "insert into corpus_count (environment_id, checkpoint_id, format, outcome, trajectories, steps, error_steps) values (0, ?, 'chat', ?, ?, ?, ?)",
      )
      .run(id, outcome, t, s, e);
  return id;
}

function filled() {
  const db = openMemoryDb();
  const base = add(db, "base", "embedded", [
    ["passed", 3, 30, 6],
    ["failed", 1, 10, 4],
    ["unknown", 5, 5, 0],
  ]);
  const silent = add(db, "silent", "imported", [["unknown", 2, 4, 1]]);
  const idle = add(db, "idle", "endpoint");
  const good = add(db, "good", "imported", [["passed", 2, 10, 0]]);
  return { db, base, silent, idle, good };
}
const names = (db: Db, request: Partial<CheckpointRequest>) =>
  listCheckpoints(db, { ...ALL, ...request }).rows.map((row) => row.name);

test("counts are summed over outcomes; an unknown outcome is counted apart", () => {
  const { db, base, idle } = filled();
  expect(checkpointRow(db, base)).toMatchObject({
    trajectories: 9,
    steps: 45,
    errorSteps: 10,
    passed: 3,
    failed: 1,
    unknown: 5,
  });
  expect(checkpointRow(db, idle)).toMatchObject({ trajectories: 0, steps: 0, passed: 0, unknown: 0 });
});

test("where the outcome is not known, the row comes last in both directions", () => {
  const { db } = filled();
  expect(names(db, { sort: "passed", direction: "desc" }).slice(0, 2)).toEqual(["good", "base"]);
  expect(names(db, { sort: "passed", direction: "asc" }).slice(0, 2)).toEqual(["base", "good"]);
});

test("pages go on where the last ended, forth and back, and filters narrow the total", () => {
  const { db } = filled();
  const first = listCheckpoints(db, { ...ALL, sort: "name", direction: "asc", limit: 2 });
  expect(first.rows.map((row) => row.name)).toEqual(["base", "good"]);
  expect(first.total).toBe(4);
  const second = listCheckpoints(db, { ...ALL, sort: "name", direction: "asc", limit: 2, cursor: first.next });
  expect(second.rows.map((row) => row.name)).toEqual(["idle", "silent"]);
  const back = listCheckpoints(db, {
    ...ALL,
    sort: "name",
    direction: "asc",
    limit: 2,
    cursor: second.previous,
    before: true,
  });
  expect(back.rows.map((row) => row.name)).toEqual(["base", "good"]);
  expect(names(db, { kinds: ["imported"], q: "OO" })).toEqual(["good"]);
});

test("trajectories without a model are no checkpoint's, and are said", () => {
  const { db } = filled();
  db.$client
    .prepare(
      "insert into corpus_count (environment_id, checkpoint_id, format, outcome, trajectories, steps, error_steps) values (0, 0, 'chat', 'unknown', 7, 1, 0)",
    )
    .run();
  expect(checkpointFacets(db)).toMatchObject({ total: 4, unnamed: 7 });
});
