import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { ALL_ERRORS } from "@/db/schema/errors";
import { checkpointRow, listCheckpoints } from "./checkpoints";
import { corpusByModel, countsByModel, unaidedByModel } from "./misbehaviors";
import { listTrajectories } from "./trajectories";
import { NO_FILTERS, type TrajectoryFilters } from "./trajectory-filters";
import { groupTrajectories } from "./trajectory-groups";

let db: Db;
let serial = 0;

/** A trajectory with 10 steps and the error steps of its counter. */
function add(outcome: string, errors: number, more: { parent?: number; model?: string; superseded?: boolean } = {}) {
  const model = more.model ?? "base";
  const id = Number(
    db.$client
      .prepare(
        `insert into trajectory (study_id, checkpoint_id, model, format, outcome, steps, entries, error_steps, content_hash, source_key, parent_id, superseded_by)
         values (1, (select id from checkpoint where name = ?), ?, 'misstep', ?, 10, 10, ?, ?, ?, ?, ?)`,
      )
      .run(model, model, outcome, errors, `h${++serial}`, `k${serial}`, more.parent ?? null, more.superseded ? 1 : null)
      .lastInsertRowid,
  );
  if (errors > 0 && !more.superseded)
    db.$client.prepare("insert into trajectory_type values (?, ?, ?)").run(ALL_ERRORS, id, errors);
  return id;
}

function profile(mode: string, trajectories: number[]) {
  const s = db.$client;
  const id = Number(
    s
      .prepare(
        "insert into profile (study_id, job_id, checkpoint_id, name, mode, settings, seed) values (1, ?, 1, 'p', ?, '{}', 1)",
      )
      .run(++serial, mode).lastInsertRowid,
  );
  trajectories.forEach((trajectory, i) => {
    s.prepare(
      "insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status) values (?, 1, ?, ?, 'finished')",
    ).run(id, i + 1, trajectory);
  });
  s.prepare("insert into profile_rollout (profile_id, environment_id, number, status) values (?, 1, 99, 'void')").run(
    id,
  );
}

beforeEach(() => {
  db = openMemoryDb();
  db.$client.exec(`insert into environment (id, name) values (1, 'e');
    insert into checkpoint (id, name) values (1, 'base'), (2, 'in training');`);
  const score = [add("passed", 0), add("failed", 2), add("failed", 1), add("unknown", 0)];
  profile("plain", score);
  profile("profile", [add("passed", 4), add("passed", 4), add("passed", 0)]);
  profile("catch", [add("passed", 3)]);
  add("passed", 5, { parent: score[0] as number });
  add("passed", 7, { superseded: true, parent: score[0] as number });
  add("passed", 6, { parent: score[0] as number, model: "in training" });
});

const ids = (filters: Partial<TrajectoryFilters>) =>
  listTrajectories(db, {
    filters: { ...NO_FILTERS, ...filters },
    sort: "newest",
    direction: "desc",
    limit: 50,
    cursor: null,
    before: false,
  });

test("rollouts from a prefix, under a teacher and with injected errors are no part of what models are compared by", () => {
  const [base, training] = corpusByModel(db);
  expect(base).toMatchObject({ model: "base", trajectories: 9, passed: 6, errorSteps: 19 });
  expect(base?.unaided).toEqual({
    trajectories: 4,
    steps: 40,
    errorSteps: 3,
    passed: 1,
    partial: 0,
    failed: 2,
    unknown: 1,
  });
  expect(training).toMatchObject({ model: "in training", trajectories: 1, unaided: { trajectories: 0, passed: 0 } });
  expect(unaidedByModel(db)).toEqual([{ model: "base", scope: ALL_ERRORS, errorSteps: 3, trajectories: 2 }]);
  expect(countsByModel(db)[0]).toMatchObject({ model: "base", errorSteps: 19 });
});

test("a policy in training, whose weights changed under way, comes after those that are one policy", () => {
  db.$client.exec("update checkpoint set kind = 'training' where id = 2");
  for (let i = 0; i < 6; i++) add("passed", 0, { model: "in training" });
  expect(corpusByModel(db).map((m) => [m.model, m.changing, m.unaided.trajectories])).toEqual([
    ["base", false, 4],
    ["in training", true, 6],
  ]);
});

test("a checkpoint's page says the same, and its list is sorted by it", () => {
  const { unaided, ...rest } = checkpointRow(db, 1) ?? { unaided: null };
  expect(unaided).toEqual(corpusByModel(db)[0]?.unaided);
  expect(rest).toMatchObject({ trajectories: 9, passed: 6 });
  const by = (direction: "asc" | "desc") =>
    listCheckpoints(db, { q: "", kinds: [], sort: "passed", direction, limit: 9, cursor: null, before: false });
  // The one without an unaided rollout has no rate: last in both directions.
  for (const direction of ["asc", "desc"] as const) expect(by(direction).rows.map((r) => r.id)).toEqual([1, 2]);
});

test("the list behind a number has as many rows as it says", () => {
  expect(ids({ unaided: true }).total).toBe(4);
  expect(ids({ unaided: true, outcomes: ["passed"], models: ["base"] }).total).toBe(1);
  expect(ids({ unaided: true, misbehavior: "any" }).total).toBe(2);
  expect(ids({ unaided: false }).total).toBe(6);
  expect(groupTrajectories(db, { ...NO_FILTERS, unaided: true }, "model")).toMatchObject([
    { name: "base", trajectories: 4, passed: 1, judged: 3, errorSteps: 3 },
  ]);
});
