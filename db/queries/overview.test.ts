import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { trajectoryFacets } from "./facets";
import { corpusOverview, errorStepsBySource } from "./overview";
import { listTrajectories } from "./trajectories";
import { NO_FILTERS } from "./trajectory-filters";

function filled() {
  const db = openMemoryDb();
  const add = db.$client.prepare(
    "insert into trajectory (id, study_id, format, outcome, steps, entries, error_steps, content_hash, source_key, superseded_by) values (?, 1, 'chat', ?, ?, ?, ?, ?, ?, ?)",
  );
  const one = (id: number, outcome: string, steps: number, errors = 0, by: number | null = null) =>
    add.run(id, outcome, steps, steps, errors, `h${id}`, `k${id}`, by);
  one(1, "passed", 4, 2);
  one(2, "passed", 0);
  one(3, "failed", 0);
  one(4, "failed", 0, 0, 3);
  one(5, "failed", 3, 1, 1);
  return db;
}

test("results without a step are told from rollouts, by outcome, and the list of them is as long", () => {
  const db = filled();
  expect(corpusOverview(db)).toMatchObject({
    trajectories: 3,
    outcomes: { passed: 2, failed: 1 },
    withoutSteps: { passed: 1, partial: 0, failed: 1, unknown: 0 },
  });
  expect(trajectoryFacets(db)).toMatchObject({ total: 3, withoutSteps: 2 });
  const total = (min: number | null, max: number | null) =>
    listTrajectories(db, {
      filters: { ...NO_FILTERS, steps: { min, max } },
      sort: "newest",
      direction: "desc",
      limit: 1,
      cursor: null,
      before: false,
    }).total;
  expect([total(null, 0), total(1, null)]).toEqual([2, 1]);
});

test("who says that steps are wrong: each step once a source, only what they say now, no replaced reading", () => {
  const db = filled();
  db.$client.exec(
    "insert into localizer (id, kind, name, version) values (1, 'rule', 'rules', '1'), (2, 'rule', 'rules', '2'), (3, 'dataset', 'who-and-when', '1'), (4, 'model', 'm', 'p')",
  );
  const say = db.$client.prepare(
    "insert into localization (step_id, localizer_id, verdict, current) values (?, ?, ?, ?)",
  );
  for (const [step, localizer, verdict, current] of [
    [SPAN, 1, "bad", 0],
    [SPAN, 2, "bad", 1],
    [SPAN, 2, "bad", 1],
    [SPAN, 3, "bad", 1],
    [SPAN + 1, 3, "bad", 1],
    [SPAN + 1, 4, "good", 1],
    [SPAN + 2, 4, "failed", 1],
    [5 * SPAN, 2, "bad", 1],
  ] as const)
    say.run(step, localizer, verdict, current);
  expect(errorStepsBySource(db)).toEqual([
    { kind: "dataset", name: "who-and-when", errorSteps: 2 },
    { kind: "rule", name: "rules", errorSteps: 1 },
  ]);
});
