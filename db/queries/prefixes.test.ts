import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { blank, insertTrajectory, insertTypes, ran } from "@/e2e/support/insert";
import type { Cursor } from "./cursor";
import { NO_PREFIX_FILTERS, type PrefixFilters } from "./prefix-filters";
import { openRerunJob } from "./prefix-page";
import { keptUnderRules } from "./prefix-rules";
import {
  listPrefixes,
  PREFIX_SORTS,
  type PrefixSort,
  prefixesOfTrajectory,
  prefixFacets,
  prefixIds,
  prefixRow,
} from "./prefixes";

let db: Db;
let trajectories: number[];

/** Prefixes in every state: [trajectory, entry, type slug, status, cause, normalised, exit code, split, commands]. */
const ROWS = [
  [0, 1, "a", "kept", null, 1, 1, "training", 1],
  [0, 2, "a", "different", "time", 1, 1, "training", 2],
  [0, 3, "a", "different", "order", 0, 1, "training", 3],
  [1, 1, "a", "different", "time", null, null, "heldout", 1],
  [1, 2, "b", "flaky", "time", null, null, "heldout", 2],
  [1, 3, "b", "void", null, null, null, null, 3],
  [2, 1, null, "pending", null, null, null, null, 1],
] as const;

beforeEach(async () => {
  db = openMemoryDb();
  insertTypes(db, [
    { slug: "a", name: "Type A" },
    { slug: "b", name: "Type B" },
  ]);
  trajectories = [];
  for (const task of ["one", "two", null])
    trajectories.push(
      await insertTrajectory(db, blank({ task, name: task, steps: ["x", "y", "z", "end"].map((c) => ran(c, c)) })),
    );
  const types = new Map(
    db.$client
      .prepare("select slug, id from error_type")
      .all()
      .map((r) => Object.values(r as object) as [string, number]),
  );
  db.$client.exec("insert into prefix_draw (study_id, params) values (1, '{}')");
  const add = db.$client.prepare(
    `insert into prefix (study_id, draw_id, step_id, error_type_id, environment_id, split, status, commands, cause, normalised_kept, exit_code_kept, reruns, exact)
     values (1, ?, ?, ?, (select environment_id from trajectory where id = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [t, entry, slug, status, cause, normalised, exit, split, commands] of ROWS) {
    const id = trajectories[t] ?? 0;
    const ran = status === "pending" || status === "void" ? 0 : 2;
    const exact = status === "kept" ? 2 : status === "flaky" ? 1 : 0;
    add.run(
      slug ? 1 : null,
      stepId(id, entry),
      slug ? types.get(slug) : null,
      id,
      split,
      status,
      commands,
      cause,
      normalised,
      exit,
      ran,
      exact,
    );
  }
});
afterEach(() => db.$client.close());

const list = (filters: Partial<PrefixFilters>) => prefixIds(db, { ...NO_PREFIX_FILTERS, ...filters });

test("filters narrow by every column, and by what is not stated", () => {
  expect(list({})).toHaveLength(7);
  expect(list({ misbehaviors: ["b"] })).toHaveLength(2);
  expect(list({ misbehaviors: [""] })).toHaveLength(1);
  expect(list({ statuses: ["different", "void"] })).toHaveLength(4);
  expect(list({ causes: ["time"] })).toHaveLength(3);
  expect(list({ splits: ["heldout"] })).toHaveLength(2);
  expect(list({ splits: [""] })).toHaveLength(2);
  expect(list({ environments: ["one"] })).toHaveLength(3);
  expect(list({ environments: [""] })).toHaveLength(1);
  expect(list({ draw: 0 })).toHaveLength(1);
  expect(list({ draw: 1, misbehaviors: ["a"], causes: ["order"] })).toHaveLength(1);
});

test("what people settled of a prefix is on its row, a filter and a facet; the newest decision of all queues counts", () => {
  const [one, two, three] = list({}) as [number, number, number];
  let position = 0;
  const settle = (queue: number, prefix: number, verdict: string) => {
    db.$client
      .prepare(
        "insert or ignore into review_queue (id, name, question, raters, settings) values (?, ?, 'prefix', 1, '{}')",
      )
      .run(queue, `queue ${queue}`);
    const item = db.$client
      .prepare("insert into review_item (queue_id, position, subject_id, status) values (?, ?, ?, 'settled')")
      .run(queue, ++position, prefix).lastInsertRowid;
    db.$client
      .prepare("insert into review_settlement (item_id, verdict, method) values (?, ?, 'decided')")
      .run(item, verdict);
  };
  settle(1, one, "bad");
  settle(2, one, "good");
  settle(1, two, "bad");
  settle(1, three, "unsure");
  expect(list({ reviews: ["good"] })).toEqual([one]);
  expect(list({ reviews: ["bad"] })).toEqual([two]);
  expect(list({ reviews: ["unsettled"] })).toHaveLength(5);
  expect(list({ reviews: ["good", "unsettled"] })).toHaveLength(6);
  expect([one, two, three].map((id) => prefixRow(db, id)?.review)).toEqual(["good", "bad", null]);
  expect(prefixFacets(db).reviews).toEqual(
    expect.arrayContaining([expect.objectContaining({ value: "unsettled", count: 5 })]),
  );
});

test("the table of rules counts prefixes with a statement, and every count is the length of its list", () => {
  const rows = keptUnderRules(db, "misbehavior", NO_PREFIX_FILTERS);
  const a = rows.find((r) => r.value === "a");
  expect(a).toMatchObject({ prefixes: 4, statement: 4, void: 0, pending: 0, flaky: 0 });
  expect(a?.rules).toEqual({
    exact: { kept: 1, lost: 3, unknown: 0 },
    normalised: { kept: 2, lost: 1, unknown: 1 },
    "exit-code": { kept: 3, lost: 0, unknown: 1 },
  });
  expect(a).toMatchObject({ keptCommands: 1, lostCommands: 2 });
  const b = rows.find((r) => r.value === "b");
  expect(b).toMatchObject({ prefixes: 2, statement: 1, void: 1, flaky: 1 });
  expect(b?.rules.exact).toEqual({ kept: 0, lost: 1, unknown: 0 });
  expect(rows.find((r) => r.value === "")).toMatchObject({ prefixes: 1, statement: 0, pending: 1 });
  for (const by of ["misbehavior", "environment"] as const)
    for (const row of keptUnderRules(db, by, NO_PREFIX_FILTERS))
      for (const name of ["exact", "normalised", "exit-code"] as const)
        for (const [what, kept] of [
          ["kept", 1],
          ["lost", 0],
          ["unknown", null],
        ] as const) {
          const group = by === "misbehavior" ? { misbehaviors: [row.value] } : { environments: [row.value] };
          expect(list({ ...group, rule: { name, kept } })).toHaveLength(row.rules[name][what]);
        }
});

test.each(PREFIX_SORTS.flatMap((s) => (["asc", "desc"] as const).map((d): [PrefixSort, "asc" | "desc"] => [s, d])))(
  "pages by %s %s give every row once, forwards and backwards",
  (sort, direction) => {
    const page = (cursor: Cursor | null, before = false) =>
      listPrefixes(db, { filters: NO_PREFIX_FILTERS, sort, direction, limit: 2, cursor, before });
    const forward: number[][] = [];
    let at = page(null);
    forward.push(at.rows.map((r) => r.id));
    while (at.next) {
      at = page(at.next);
      forward.push(at.rows.map((r) => r.id));
    }
    expect(new Set(forward.flat()).size).toBe(7);
    expect(at.total).toBe(7);
    const backward = [forward.at(-1)];
    while (at.previous) {
      at = page(at.previous, true);
      backward.unshift(at.rows.map((r) => r.id));
    }
    expect(backward.flat()).toEqual(forward.flat());
  },
);

test("facets count all prefixes; a step leads to its newest prefix", () => {
  const facets = prefixFacets(db);
  expect(facets.total).toBe(7);
  expect(Object.fromEntries(facets.statuses.map((f) => [f.value, f.count]))).toEqual({
    kept: 1,
    different: 3,
    flaky: 1,
    void: 1,
    pending: 1,
  });
  expect(facets.draws.map((d) => [d.value, d.label, d.count])).toEqual([
    ["1", "draw 1", 6],
    ["0", "on demand", 1],
  ]);
  const first = trajectories[0] ?? 0;
  expect([...prefixesOfTrajectory(db, first).keys()]).toEqual([1, 2, 3]);
  expect(prefixRow(db, 1)).toMatchObject({
    id: 1,
    trajectoryId: first,
    entry: 1,
    status: "kept",
    misbehaviorSlug: "a",
  });
  expect(prefixRow(db, 99)).toBeUndefined();
});

test("a rerun job is under way for its prefixes, listed or not, until it ends", () => {
  const add = db.$client.prepare(
    "insert into job (kind, title, params, requested_by, listed) values ('rerun', 't', ?, 't', ?)",
  );
  const waiting = Number(add.run('{"prefixes":[3]}', 0).lastInsertRowid);
  expect([openRerunJob(db, 3), openRerunJob(db, 33)]).toEqual([waiting, null]);
  db.$client.exec("update job set status = 'done'");
  expect(openRerunJob(db, 3)).toBeNull();
  const running = Number(add.run("{}", 1).lastInsertRowid);
  db.$client.prepare("insert into job_item (job_id, key, payload) values (?, '33/1', '{}')").run(running);
  expect([openRerunJob(db, 3), openRerunJob(db, 33)]).toEqual([null, running]);
});
