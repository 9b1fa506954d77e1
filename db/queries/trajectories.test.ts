import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { scopesOf } from "@/db/schema";
import { type Cursor, decodeCursor, encodeCursor } from "./cursor";
import { trajectoryFacets } from "./facets";
import { type ListRequest, listTrajectories, SORT_KEYS } from "./trajectories";
import { NO_FILTERS, type TrajectoryFilters } from "./trajectory-filters";
import { groupTrajectories } from "./trajectory-groups";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  db.$client.exec(`
    insert into environment (id, name) values (1, 'count-lines'), (2, 'fix_config');
    insert into checkpoint (id, name) values (1, 'small'), (2, 'large');
    insert into taxonomy (id, name, version, origin) values (1, 'eight', 1, 'builtin');
    insert into error_type (id, taxonomy_id, slug, name, definition) values (5, 1, 'loops', 'Loops', 'd');`);
});
afterEach(() => db.$client.close());

interface Given {
  task: number | null;
  model: number | null;
  steps: number;
  errors: number;
  tokens: number | null;
  cost: number | null;
  reward: number | null;
  started: number | null;
  outcome: string;
  superseded: boolean;
  exception: boolean;
}
const TASKS = ["count-lines", "fix_config"];
const MODELS = ["small", "large"];
let serial = 0;

function add(given: Partial<Given>): number {
  const g: Given = {
    task: 1,
    model: 1,
    steps: 3,
    errors: 0,
    tokens: null,
    cost: null,
    reward: null,
    started: null,
    outcome: "unknown",
    superseded: false,
    exception: false,
    ...given,
  };
  serial++;
  const id = Number(
    db.$client
      .prepare(
        `insert into trajectory (study_id, environment_id, checkpoint_id, task, model, name, format, outcome, reward, exception_type, steps, entries,
         error_steps, tokens, cost_usd, started_at, content_hash, source_key, superseded_by) values (1,?,?,?,?,?,'chat',?,?,?,?,?,?,?,?,?,?,?,?)`,
      )
      .run(
        g.task,
        g.model,
        g.task === null ? null : TASKS[g.task - 1]!,
        g.model === null ? null : MODELS[g.model - 1]!,
        `trial-${serial}`,
        g.outcome,
        g.reward,
        g.exception ? "Timeout" : null,
        g.steps,
        g.steps,
        g.errors,
        g.tokens,
        g.cost,
        g.started,
        `h${serial}`,
        `k${serial}`,
        g.superseded ? 1 : null,
      ).lastInsertRowid,
  );
  if (g.errors > 0)
    db.$client.prepare("insert into trajectory_type values (0, ?, ?), (5, ?, ?)").run(id, g.errors, id, g.errors);
  return id;
}

const request = (over: Partial<ListRequest>): ListRequest => ({
  filters: NO_FILTERS,
  sort: "newest",
  direction: "desc",
  limit: 3,
  cursor: null,
  before: false,
  ...over,
});
const only = (filters: Partial<TrajectoryFilters>) =>
  listTrajectories(db, request({ filters: { ...NO_FILTERS, ...filters }, limit: 50, direction: "asc" }));
const names = (filters: Partial<TrajectoryFilters>) => only(filters).rows.map((r) => r.id);

const small = fc.integer({ min: 0, max: 3 });
const maybe = <T>(a: fc.Arbitrary<T>) => fc.option(a, { nil: null });
const given: fc.Arbitrary<Given> = fc.record({
  task: maybe(fc.constantFrom(1, 2)),
  model: maybe(fc.constantFrom(1, 2)),
  steps: small,
  errors: small,
  tokens: maybe(small),
  cost: maybe(fc.constantFrom(0, 0.1, 0.25)),
  reward: maybe(fc.constantFrom(-1, 0, 1)),
  started: maybe(small),
  outcome: fc.constantFrom("passed", "failed", "unknown"),
  superseded: fc.boolean(),
  exception: fc.boolean(),
});
const FIELD: Record<string, keyof ReturnType<typeof listTrajectories>["rows"][number]> = {
  newest: "id",
  started: "startedAt",
  task: "task",
  model: "model",
  steps: "steps",
  errors: "errorSteps",
  tokens: "tokens",
  cost: "costUsd",
  reward: "reward",
  duration: "durationMs",
};

test("paging forward and back visits every row once, in order, unknown last, whatever sort and filter", () => {
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 14 }),
      fc.constantFrom(...SORT_KEYS),
      fc.constantFrom("asc" as const, "desc" as const),
      fc.constantFrom<Partial<TrajectoryFilters>>(
        {},
        { tokens: { min: 1, max: null } },
        { misbehavior: "loops" },
        { models: ["small", ""] },
      ),
      (rows, sort, direction, narrowed) => {
        db.$client.exec("delete from trajectory");
        for (const row of rows) add(row);
        const filters = { ...NO_FILTERS, ...narrowed };
        const forward: number[] = [];
        const pages: number[][] = [];
        let cursor: Cursor | null = null;
        let previous: Cursor | null = null;
        do {
          const page = listTrajectories(db, request({ filters, sort, direction, cursor }));
          pages.push(page.rows.map((r) => r.id));
          forward.push(...page.rows.map((r) => r.id));
          previous = page.previous;
          cursor = decodeCursor(page.next && encodeCursor(page.next));
        } while (cursor);
        const whole = listTrajectories(db, request({ filters, sort, direction, limit: 100 }));
        expect(forward).toEqual(whole.rows.map((r) => r.id));
        expect(new Set(forward).size).toBe(forward.length);
        expect(whole.total).toBe(forward.length);

        const values = whole.rows.map((r) => r[FIELD[sort]!] as string | number | null);
        const known = values.filter((v) => v !== null);
        expect(values.slice(known.length).every((v) => v === null)).toBe(true);
        const sorted = [...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(known).toEqual(direction === "asc" ? sorted : sorted.reverse());

        const back: number[][] = [];
        while (previous) {
          const page = listTrajectories(db, request({ filters, sort, direction, cursor: previous, before: true }));
          back.unshift(page.rows.map((r) => r.id));
          previous = page.previous;
        }
        expect(back.flat()).toEqual(pages.slice(0, -1).flat());
      },
    ),
    { numRuns: 150 },
  );
});

test("each filter keeps what it names and an unknown value is outside of every range", () => {
  const a = add({ task: 1, model: 1, tokens: 10, cost: 0, outcome: "passed", errors: 2 });
  const b = add({ task: 2, model: null, tokens: null, cost: 0.5, outcome: "failed", exception: true });
  add({ superseded: true });
  expect(names({})).toEqual([a, b]);
  expect(names({ q: "LINES" })).toEqual([a]);
  expect(names({ q: "fix_c" })).toEqual([b]);
  expect(names({ q: "fix%c" })).toEqual([]);
  expect(names({ models: [""] })).toEqual([b]);
  expect(names({ tasks: ["fix_config", "count-lines"] })).toEqual([a, b]);
  expect(names({ outcomes: ["failed"] })).toEqual([b]);
  expect(names({ tokens: { min: null, max: 100 } })).toEqual([a]);
  expect(names({ cost: { min: 0, max: 0 } })).toEqual([a]);
  expect(names({ exception: true })).toEqual([b]);
  expect(names({ misbehavior: "any" })).toEqual([a]);
  expect(names({ misbehavior: "none" })).toEqual([b]);
  expect(names({ misbehavior: "loops" })).toEqual([a]);
  expect(names({ misbehavior: "no-such" })).toEqual([]);
  db.$client
    .prepare("insert into trajectory_type values (?, ?, 1), (?, ?, 1)")
    .run(scopesOf(1).named, a, scopesOf(1).unlabelled, b);
  expect(names({ misbehavior: "named" })).toEqual([a]);
  expect(names({ misbehavior: "unlabelled" })).toEqual([b]);
  expect(only({}).rows[0]?.types).toEqual([{ slug: "loops", name: "Loops", errorSteps: 2 }]);
});

test("a match far down the sort's index is found and counted", () => {
  db.$client.exec("begin");
  for (let i = 0; i < 2500; i++) add({ steps: i, tokens: 1 });
  db.$client.exec("commit");
  const late = add({ steps: 0, tokens: 99 });
  const page = listTrajectories(
    db,
    request({ sort: "steps", filters: { ...NO_FILTERS, tokens: { min: 50, max: null } } }),
  );
  expect(page).toMatchObject({ total: 1, next: null, previous: null, rows: [{ id: late }] });
});

test("groups say the same from the counters and from the rows", () => {
  add({ task: 1, outcome: "passed", errors: 1 });
  add({ task: 1, outcome: "unknown" });
  add({ task: null, outcome: "failed" });
  const expected = [
    { name: "count-lines", trajectories: 2, passed: 1, judged: 1, steps: 6, errorSteps: 1 },
    { name: null, trajectories: 1, passed: 0, judged: 1, steps: 3, errorSteps: 0 },
  ];
  expect(groupTrajectories(db, NO_FILTERS, "task")).toEqual(expected);
  expect(groupTrajectories(db, { ...NO_FILTERS, steps: { min: 0, max: null } }, "task")).toEqual(expected);
});

test("facets count every value, the unstated one as well", () => {
  add({ model: null, errors: 1 });
  add({ model: 2 });
  const facets = trajectoryFacets(db);
  expect(facets.total).toBe(2);
  expect(facets.models.map((m) => [m.value, m.count])).toEqual([
    ["", 1],
    ["large", 1],
  ]);
  expect(facets.misbehaviors.map((m) => [m.value, m.count])).toEqual([
    ["any", 1],
    ["named", 0],
    ["unlabelled", 0],
    ["none", 1],
    ["loops", 1],
  ]);
});

test("a damaged cursor is the start of the list", () => {
  expect(decodeCursor("garbage")).toBeNull();
  expect(decodeCursor(Buffer.from('["x","1"]').toString("base64url"))).toBeNull();
});

test("a profile's rollouts are found alone and with a misbehavior, and counted and grouped alike", () => {
  const [mine, flagged, other] = [add({}), add({ errors: 1, model: 2 }), add({ errors: 1 })];
  db.$client.exec(`
    insert into profile (id, study_id, job_id, checkpoint_id, name, mode, settings, seed) values (7, 1, 1, 1, 'p', 'profile', '{}', 1);
    insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status) values
      (7, 1, 1, ${mine}, 'finished'), (7, 1, 2, ${flagged}, 'discarded'), (7, 2, 1, null, 'void');
    insert or replace into trajectory_type values (5, ${flagged}, 1), (5, ${other}, 1);`);
  expect(names({ profile: 7 })).toEqual([mine, flagged]);
  expect(only({ profile: 7 }).total).toBe(2);
  expect(names({ profile: 7, misbehavior: "loops" })).toEqual([flagged]);
  expect(names({ profile: 8 })).toEqual([]);
  expect(groupTrajectories(db, { ...NO_FILTERS, profile: 7 }, "model").map((g) => [g.name, g.trajectories])).toEqual([
    ["large", 1],
    ["small", 1],
  ]);
});

test("what one import added or read anew is a list of its own", () => {
  const [first, second, other] = [add({}), add({}), add({})];
  db.$client.exec("insert into job (id, kind, title, params, requested_by) values (7, 'import', 'i', '{}', 't')");
  db.$client.exec(`update trajectory set job_id = 7 where id in (${first}, ${second})`);
  const rows = listTrajectories(db, {
    filters: { ...NO_FILTERS, importedBy: 7 },
    sort: "newest",
    direction: "desc",
    cursor: null,
    limit: 10,
    before: false,
  }).rows;
  expect(rows.map(({ id }) => id)).toEqual([second, first]);
  expect(rows.map(({ id }) => id)).not.toContain(other);
});
