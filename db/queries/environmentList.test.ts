import { expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { type EnvironmentRequest, environmentFacets, environmentsByIds, listEnvironments } from "./environmentList";
import { environmentChecks } from "./environmentPage";

const ALL: EnvironmentRequest = {
  filters: { q: "", kinds: [], datasets: [], states: [] },
  sort: "name",
  direction: "asc",
  limit: 50,
  cursor: null,
  before: false,
};

function add(
  db: Db,
  name: string,
  digest: string | null,
  checks: [what: string, reward: number | null, digest?: string][] = [],
) {
  const id = Number(
    db.$client
      .prepare("insert into environment (name, dataset, kind, digest) values (?, ?, 'harbor', ?)")
      .run(name, name < "c" ? "" : "set", digest).lastInsertRowid,
  );
  for (const [what, reward, of] of checks)
    db.$client
      .prepare(
        "insert into environment_check (environment_id, what, driver, status, reward, digest) values (?, ?, 'bubblewrap', ?, ?, ?)",
      )
      .run(id, what, reward === null ? "void" : "done", reward, of ?? digest);
  return id;
}
const names = (db: Db, request: Partial<EnvironmentRequest>) =>
  listEnvironments(db, { ...ALL, ...request }).rows.map((r) => r.name);

test("the state follows the newest check of each kind, of the files as they are now; void is neither sound nor 0", () => {
  const db = openMemoryDb();
  add(db, "sound", "d", [
    ["solution", null],
    ["solution", 1],
    ["nothing", 0],
  ]);
  add(db, "fails", "d", [
    ["solution", 0],
    ["nothing", 0],
  ]);
  add(db, "trivial", "d", [
    ["solution", 1],
    ["nothing", 1],
  ]);
  add(db, "void", "d", [
    ["solution", 1],
    ["nothing", null],
  ]);
  add(db, "half", "d", [["solution", 1]]);
  add(db, "changed", "new", [
    ["solution", 1, "old"],
    ["nothing", 0, "old"],
  ]);
  add(db, "bare", null);
  const state = Object.fromEntries(listEnvironments(db, ALL).rows.map((r) => [r.name, r.state]));
  expect(state).toEqual({
    sound: "sound",
    fails: "unsound",
    trivial: "unsound",
    void: "void",
    half: "unchecked",
    changed: "unchecked",
    bare: "bare",
  });
  expect(names(db, { filters: { ...ALL.filters, states: ["unsound", "void"] } })).toEqual(["fails", "trivial", "void"]);
  expect(environmentFacets(db)).toMatchObject({ total: 7, withFiles: 6 });
  const changed = listEnvironments(db, ALL).rows.find((r) => r.name === "changed");
  expect(changed?.solution).toMatchObject({ reward: 1, outdated: true });
  expect(environmentChecks(db, 4, { limit: 9 }).map((c) => [c.what, c.reward])).toEqual([
    ["nothing", null],
    ["solution", 1],
  ]);
});

test("pages by keyset meet every row once in both directions, under ties too", () => {
  const db = openMemoryDb();
  const wanted: string[] = [];
  for (let i = 0; i < 25; i++) {
    const name = `e${String(i).padStart(2, "0")}`;
    add(db, name, "d");
    wanted.push(name);
  }
  for (const sort of ["name", "dataset", "trajectories", "newest"] as const) {
    const seen: string[] = [];
    const pages: string[][] = [];
    let cursor: EnvironmentRequest["cursor"] = null;
    let last: ReturnType<typeof listEnvironments> | null = null;
    do {
      last = listEnvironments(db, { ...ALL, sort, limit: 10, cursor });
      pages.push(last.rows.map((r) => r.name));
      seen.push(...last.rows.map((r) => r.name));
      cursor = last.next;
    } while (cursor);
    expect(seen, sort).toEqual(wanted);
    const back = listEnvironments(db, { ...ALL, sort, limit: 10, cursor: last.previous, before: true });
    expect(
      back.rows.map((r) => r.name),
      sort,
    ).toEqual(pages[1]);
  }
  expect(listEnvironments(db, { ...ALL, direction: "desc", limit: 3 }).rows.map((r) => r.name)).toEqual([
    "e24",
    "e23",
    "e22",
  ]);
});

test("filters by text, kind and data set; counts prefixes", () => {
  const db = openMemoryDb();
  const a = add(db, "alpha", "d");
  add(db, "delta", "d");
  db.$client.exec(
    `insert into prefix (study_id, step_id, environment_id, status) values (1, 1, ${a}, 'kept'), (1, 2, ${a}, 'different')`,
  );
  expect(names(db, { filters: { ...ALL.filters, q: "LPH" } })).toEqual(["alpha"]);
  expect(names(db, { filters: { ...ALL.filters, datasets: [""] } })).toEqual(["alpha"]);
  expect(names(db, { filters: { ...ALL.filters, q: "se", kinds: ["harbor"] } })).toEqual(["delta"]);
  expect(environmentsByIds(db, [a])[0]).toMatchObject({ prefixes: 2, kept: 1 });
});
