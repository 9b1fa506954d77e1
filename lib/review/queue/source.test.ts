import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { makeTrajectory } from "@/lib/taxonomy/testing";
import { subjectsOf } from "./source";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => db.$client.close());

test("whether a subject was settled is looked up, not looked for among all items", () => {
  for (let i = 0; i < 50; i++)
    makeTrajectory(
      db,
      Array.from({ length: 8 }, () => ["make", "retry-same-cause"] as const),
    );
  db.$client.exec(`
    insert into review_queue (id, name, question, raters, settings) values (1, 'large', 'wrong', 1, '{}');
    insert into review_item (queue_id, position, subject_id, status)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000) select 1, i, i + 1e12, 'settled' from n;
    insert into review_item (queue_id, position, subject_id, status) select 1, 300000, min(step_id), 'settled' from error_step;`);
  const started = performance.now();
  const subjects = subjectsOf(
    db,
    { kind: "trajectories", steps: "flagged", filters: NO_FILTERS },
    { question: "wrong", taxonomyId: 1, evaluationId: null },
  );
  // Eighty million looks take half a minute, in the process that serves the pages.
  expect(performance.now() - started).toBeLessThan(1500);
  expect([subjects.length, subjects.filter((s) => s.labelled).length]).toEqual([400, 1]);
});
