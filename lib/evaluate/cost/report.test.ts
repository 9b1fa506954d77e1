import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { trainSettings } from "@/lib/train/settings";
import { pointsBetween, shownBy } from "./reductions";
import { costReport, perPoint } from "./report";
import { changesAgainst, publishedResource, resourceOf } from "./resources";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);

beforeEach(() => {
  db = openMemoryDb();
  sql(
    "insert into price (id, model, currency, input, cached, output, valid_from) values (1, 'm', 'USD', 1, 0.1, 2, 0), (2, 'q', 'CNY', 1, 1, 1, 0)",
  );
  for (const [id, kind] of [
    [1, "profile"],
    [2, "train"],
    [3, "measure"],
  ] as const)
    sql("insert into job (id, kind, title, params, requested_by) values (?, ?, 't', '{}', 't')", id, kind);
});

const call = (
  job: number | null,
  role: string,
  model: string,
  price: number | null,
  tokens: (number | null)[],
  cost: number | null,
  cache = 0,
) =>
  sql(
    "insert into usage (job_id, role, model, price_id, input_tokens, cached_tokens, output_tokens, cost_nano, from_cache) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ...[job, role, model, price, ...tokens, cost, cache],
  );

test("the ledger adds up by phase, role, model and currency; what is not known is counted, never 0", () => {
  call(1, "teacher", "m", 1, [1000, 900, 10], 210_000);
  call(1, "teacher", "m", 1, [null, null, null], null);
  call(1, "localizer", "q", 2, [500, 0, 5], 505_000);
  call(3, "behavior-judge", "free", null, [100, 20, 1], null);
  call(1, "teacher", "m", 1, [1000, 0, 10], 1_020_000, 1);
  sql(
    "insert into prefix (study_id, step_id, status, reruns) values (1, 1, 'kept', 2), (1, 2, 'kept', 1), (1, 3, 'different', 1), (1, 4, 'pending', 0)",
  );
  const report = costReport(db);
  expect(
    report.ledger.map(({ phase, role, calls, input, uncached, unstated, costNano, unpriced }) => [
      phase,
      role,
      calls,
      input,
      uncached,
      unstated,
      costNano,
      unpriced,
    ]),
  ).toEqual([
    ["measuring", "behavior-judge", 1, 100, 0.8, 0, null, 1],
    ["before", "localizer", 1, 500, 1, 0, 505_000, 0],
    ["before", "teacher", 2, 1000, expect.closeTo(0.1, 12), 1, 210_000, 1],
  ]);
  expect(report).toMatchObject({ kept: 2, rerun: 3, perKeptPrefix: { CNY: 252_500, USD: 105_000 }, unpricedBefore: 1 });
  sql("delete from prefix");
  expect(costReport(db).perKeptPrefix).toBeNull();
});

test("a training's rollouts by the formula are those that ran when no group is short", () => {
  const settings = trainSettings.parse({
    recipe: "r",
    start: { kind: "suite", count: 2 },
    reward: { kind: "outcome" },
    batch: 2,
    group: 2,
  });
  sql(
    "insert into training_run (id, study_id, name, recipe, settings, launcher, job_id) values (1, 1, 'a', 'r', ?, 'embedded', 2)",
    JSON.stringify(settings),
  );
  sql(
    'insert into training_step (training_run_id, step, metrics) values (1, 1, \'{"ms":{"total":2000}}\'), (1, 2, \'{"ms":{"total":3000}}\')',
  );
  let group = 0;
  for (const [step, dead] of [
    [1, null],
    [1, null],
    [2, "all-fail"],
    [2, null],
    [2, null],
  ] as const) {
    sql(
      "insert into rollout_group (id, training_run_id, step, number, environment_id, dead) values (?, 1, ?, ?, ?, ?)",
      ++group,
      step,
      group,
      group % 2,
      dead,
    );
    for (const number of [1, 2])
      sql(
        "insert into rollout (group_id, number, tokens, steps, void_reason) values (?, ?, ?, ?, ?)",
        group,
        number,
        10,
        4,
        dead && number === 2 ? "no sandbox" : null,
      );
  }
  call(2, "behavior-judge", "m", 1, [1, 0, 1], 3000);
  const [training] = costReport(db).trainings;
  // 2 steps x 2 groups x 2 rollouts / (1 - 1/5).
  expect(training).toMatchObject({
    steps: 2,
    rollouts: 10,
    estimatedRollouts: 10,
    dead: 1,
    groups: 5,
    void: 1,
    environments: 2,
    tokens: 100,
    ms: 5000,
    uncachedEstimate: 0.5,
    costs: { USD: 3000 },
    unpriced: 0,
  });
  if (!training) throw new Error("no training");
  expect(training.phases).toEqual([{ phase: "rollouts", rollouts: 10, tokens: 100, busyMs: null }]);
  expect(resourceOf(training, "rollouts").parts).toEqual([
    { label: "preprocessing", value: 0 },
    { label: "RL", value: 10 },
  ]);
  // Nobody wrote down how long its rollouts took: not known, not 0.
  expect(resourceOf(training, "busy").parts.at(-1)).toEqual({ label: "RL", value: null });
  expect(training.reductions).toEqual([]);
});

/** Profile 1 of three rollouts in environments 1 to 3, a kept prefix of the first two, and profile 2 of one. */
function profiled(): void {
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded')");
  for (const id of [1, 2, 3]) sql("insert into environment (id, name) values (?, ?)", id, `e${id}`);
  for (const id of [1, 2])
    sql(
      "insert into profile (id, study_id, job_id, checkpoint_id, name, mode, settings, seed) values (?, 1, ?, 1, 'p', 'profile', '{}', 1)",
      ...[id, id],
    );
  for (const [profile, environment, trajectory] of [
    [1, 1, 1],
    [1, 2, 2],
    [1, 3, 3],
    [2, 1, 4],
  ] as const)
    sql(
      "insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status) values (?, ?, 1, ?, 'finished')",
      ...[profile, environment, trajectory],
    );
  sql("insert into prefix_draw (id, study_id, params) values (1, 1, '{}')");
  for (const id of [1, 2])
    sql(
      "insert into prefix (id, study_id, draw_id, step_id, environment_id, status, created_at) values (?, 1, 1, ?, ?, 'kept', 1)",
      ...[id, id * SPAN, id],
    );
}

test("a training needs the profile that its environments were chosen by, or whose trajectories it takes its turns from", () => {
  profiled();
  const trained = (id: number, start: object, reward: object, plan: object) => {
    sql(
      "insert into training_run (id, study_id, name, recipe, settings, launcher, created_at) values (?, 1, ?, 'r', ?, 'embedded', 2)",
      ...[id, `t${id}`, JSON.stringify({ start, reward, plan })],
    );
    sql("insert into training_step (training_run_id, step, metrics) values (?, 1, '{}')", id);
    sql("insert into rollout_group (id, training_run_id, step, number, environment_id) values (?, ?, 1, 1, 1)", id, id);
    sql("insert into rollout (group_id, number, tokens) values (?, 1, 1)", id);
  };
  const chosen = { kind: "environments", prefixes: { drawId: 1 } };
  trained(1, chosen, { kind: "outcome" }, { kind: "task", ids: [1, 2] });
  trained(2, { kind: "pivot", profileId: 2 }, { kind: "equivalence" }, { kind: "pivot", ids: [] });
  trained(3, { kind: "suite", count: 2 }, { kind: "outcome" }, { kind: "task", ids: [1, 2] });
  trained(4, chosen, { kind: "rubric" }, { kind: "task", ids: [1, 2] });
  trained(5, { ...chosen, prefixes: { drawId: 7 } }, { kind: "outcome" }, { kind: "task", ids: [1, 2] });
  const { trainings } = costReport(db);
  const needed = trainings.map((t) => [
    t.id,
    t.allRollouts - t.rollouts,
    resourceOf(t, "rollouts").parts.find((p) => p.label === "preprocessing")?.value,
  ]);
  expect(needed.reverse()).toEqual([
    [1, 3, 3],
    [2, 1, 1],
    [3, 0, 0],
    [4, 0, 0],
    [5, 0, 0],
  ]);
});

test("changes against TMax-4B are those of the paper's Fig. 9", () => {
  const change = (resource: "rollouts" | "tokens" | "environments" | "cost") => {
    const rows = publishedResource(resource);
    const base = rows.find((row) => row.name === "TMax-4B");
    if (!base) throw new Error("no TMax-4B");
    return changesAgainst(rows, base).find((row) => row.name === "MiRL")?.parts[0]?.value;
  };
  expect(Math.round(change("rollouts") ?? 0)).toBe(-65);
  expect(Math.round(change("environments") ?? 0)).toBe(-15);
  expect(Math.round(change("cost") ?? 0)).toBe(-44);
  // Printed as -72, from totals that were not rounded first.
  expect(change("tokens")).toBeCloseTo(-71.5, 1);
});

test("points of reduction are the mean over misbehaviors that both were judged on", () => {
  const row = (errorTypeId: number, yes: number, no: number) => ({
    ...{ checkpointId: 1, errorTypeId, prefixId: 1, judge: "j", yes, no, failed: 0, unparsed: 0, leaked: 0 },
  });
  // 80% to 20%, 50% to 40%; the third was judged under one of them only.
  const base = [row(1, 8, 2), row(2, 1, 1), row(3, 1, 0)];
  expect(pointsBetween(base, [row(1, 2, 8), row(2, 4, 6), row(4, 1, 1)], "key")).toMatchObject({
    points: expect.closeTo(35, 10),
    misbehaviors: 2,
  });
  expect(pointsBetween(base, [row(9, 1, 1)], "key")).toBeNull();
});

test("a point of a reduction has a cost only where the reduction is told apart from none", () => {
  const rows = (yes: number[]) =>
    yes.map((n, at) => ({
      ...{
        checkpointId: 1,
        errorTypeId: 1,
        prefixId: at,
        judge: "j",
        yes: n,
        no: 8 - n,
        failed: 0,
        unparsed: 0,
        leaked: 0,
      },
    }));
  const base = rows([6, 7, 5, 8, 6, 7]);
  const of = (yes: number[]) => pointsBetween(base, rows(yes), "key");
  const fell = of([1, 2, 1, 2, 0, 2]);
  const noise = of([6, 3, 7, 8, 7, 5]);
  const same = of([6, 7, 5, 8, 6, 7]);
  if (!fell || !noise || !same) throw new Error("not measured");
  expect(fell.interval?.low).toBeGreaterThan(0);
  expect(perPoint(700, fell)).toBeCloseTo(700 / fell.points, 12);
  expect(noise.points).toBeGreaterThan(0);
  expect([shownBy(noise), perPoint(700, noise)]).toEqual(["nothing", null]);
  expect([same.interval, shownBy(same)]).toEqual([null, "nothing"]);
  const rose = pointsBetween(rows([1, 2, 1, 2, 0, 2]), base, "key");
  expect(rose && [shownBy(rose), perPoint(700, rose)]).toEqual(["rose", null]);
});
