import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { trainSettings } from "@/lib/train/settings";
import { costReport } from "./report";

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
});
