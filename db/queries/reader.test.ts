import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { blank, entry, insertFlags, insertTrajectory, insertTypes, ran } from "@/e2e/support/insert";
import { comparedSteps } from "./compare";
import { eachBody, entryWindow, MARKS, overview } from "./reader-entries";
import { flagsOf } from "./reader-flags";
import { entryOfStep, neighbours } from "./reader-head";
import { searchSteps } from "./search";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const hundred = () =>
  insertTrajectory(
    db,
    blank({
      steps: [
        entry({ kind: "user", message: "go" }),
        ...Array.from({ length: 100 }, (_, i) =>
          ran(`echo ${i + 1}`, `${"filler\n".repeat(300)}out ${i + 1}`, i === 49 ? 2 : 0, { turn: i < 2 ? 0 : i }),
        ),
      ],
    }),
  );

test("a window holds the entries asked for, across chunks, with their own texts", async () => {
  const id = await hundred();
  const rows = entryWindow(db, id, 30, 40);
  expect(rows.map((r) => r.index)).toEqual(Array.from({ length: 40 }, (_, i) => 30 + i));
  for (const row of rows) expect(row.body.call?.command).toBe(`echo ${row.number}`);
  expect(entryWindow(db, id, 95, 40)).toHaveLength(6);
  expect(entryWindow(db, id, 500, 40)).toEqual([]);
  expect([...eachBody(db, id)].map(([i]) => i)).toEqual(Array.from({ length: 101 }, (_, i) => i));
});

test("texts that should be there and are not are an error, not an empty step", async () => {
  const id = await hundred();
  const first = db.$client.prepare("select max(first) from chunk").pluck().get() as number;
  expect(first).toBeGreaterThan(50);
  db.$client.exec(`delete from chunk where first = ${first}`);
  expect(() => entryWindow(db, id, 50, 50)).toThrow(`text of entry ${first} of trajectory ${id} is missing`);
});

test("the overview marks kinds, numbers, failures and joined turns", async () => {
  const { marks, lines } = overview(db, await hundred());
  expect(lines).toHaveLength(101);
  expect(marks[0]).toBe(1);
  expect(marks[1]).toBe(2 | MARKS.numbered);
  expect(marks[2]).toBe(2 | MARKS.numbered | MARKS.sameTurn);
  expect(marks.flatMap((m, i) => (m & MARKS.failed ? [i] : []))).toEqual([50]);
});

test("a step number leads to its entry, whatever messages stand before it", async () => {
  const id = await hundred();
  expect(entryOfStep(db, id, 1)).toBe(1);
  expect(entryOfStep(db, id, 100)).toBe(100);
  expect(entryOfStep(db, id, 101)).toBeNull();
});

test("neighbours pass over replaced readings", async () => {
  const [a, b, c] = [await hundred(), await hundred(), await hundred()];
  db.$client.prepare("update trajectory set superseded_by = ? where id = ?").run(c, b);
  expect(neighbours(db, a)).toEqual({ newer: c, older: null });
});

test("flags carry every source's labels and reasons, without the ones that were replaced", async () => {
  const id = await hundred();
  insertTypes(db, [{ slug: "loops", name: "Loops" }]);
  const evidence = [{ step: 3, part: "output", start: 0, end: 3 }];
  insertFlags(db, id, [{ entry: 5, slug: "loops", reason: "It ran before.", evidence }]);
  insertFlags(db, id, [{ entry: 7, slug: "loops", reason: "Old.", evidence: [] }]);
  db.$client.exec("update localization set current = 0 where reason = 'Old.'");
  const flags = flagsOf(db, id);
  expect(flags.map((f) => f.entry)).toEqual([5, 7]);
  expect(flags[0]).toMatchObject({
    number: 5,
    active: true,
    labels: [{ slug: "loops", source: "rule", by: "seeded v1" }],
  });
  expect(flags[0]?.reasons).toMatchObject([
    { reason: "It ran before.", evidence: [{ entry: 3, place: "step 3", part: "output", start: 0, end: 3 }] },
  ]);
  expect(flags[1]?.reasons).toEqual([]);
});

test("evidence is named by steps: a correction by the step it stands for, a message by its entry alone", async () => {
  const steps = [
    entry({ kind: "user", message: "go" }),
    ran("ls", "", 0),
    ran("mak", "", 0, { note: "rejected" }),
    ran("make", "", 0, { note: "correction" }),
    ran("pwd", "", 0),
  ];
  const id = await insertTrajectory(db, blank({ steps }));
  insertTypes(db, [{ slug: "loops", name: "Loops" }]);
  const evidence = [1, 3, 0].map((step) => ({ step, part: "command", start: 0, end: 1 }));
  insertFlags(db, id, [{ entry: 4, slug: "loops", reason: "It ran before.", evidence }]);
  expect(flagsOf(db, id)[0]?.reasons[0]?.evidence.map((e) => e.place)).toEqual([
    "step 1",
    "the correction of step 2",
    null,
  ]);
});

test("search pages through all hits newest first, once each, and skips replaced readings", async () => {
  const [a, b] = [await hundred(), await hundred()];
  const old = await hundred();
  db.$client.prepare("update trajectory set superseded_by = ? where id = ?").run(a, old);
  const seen: string[] = [];
  let before: number | null = null;
  do {
    const page = searchSteps(db, "steps", '"echo"', before, 33);
    seen.push(...page.hits.map((h) => `${h.trajectoryId}/${h.entry.number}`));
    before = page.next;
  } while (before !== null);
  const all = (id: number) => Array.from({ length: 100 }, (_, i) => `${id}/${100 - i}`);
  expect(seen).toEqual([...all(b), ...all(a)]);
  // One training made the newest of them: the others fill the page as if it were not there.
  db.$client.pragma("foreign_keys = off");
  db.$client.prepare("insert into rollout (group_id, number, trajectory_id) values (1, 1, ?)").run(b);
  const others = searchSteps(db, "steps", '"echo"', null, 33, "others");
  expect(others.hits.map((h) => `${h.trajectoryId}/${h.entry.number}`)).toEqual(all(a).slice(0, 33));
  expect(others.next).not.toBeNull();
  expect(searchSteps(db, "steps", 'output : "50"', null, 10).hits.map((h) => h.entry.exitCode)).toEqual([2, 2]);
});

test("reasons are searched by their words and lead to their step", async () => {
  const id = await hundred();
  insertTypes(db, [{ slug: "loops", name: "Loops" }]);
  insertFlags(db, id, [{ entry: 5, slug: "loops", reason: "The folder was listed before.", evidence: [] }]);
  expect(searchSteps(db, "reasons", '"folder"', null, 10)).toMatchObject({
    total: { count: 1, more: false },
    next: null,
    hits: [{ trajectoryId: id, reason: "The folder was listed before.", entry: { index: 5 } }],
  });
});

test("compared steps say what failed and what is flagged", async () => {
  const id = await hundred();
  insertTypes(db, [{ slug: "loops", name: "Loops" }]);
  insertFlags(db, id, [{ entry: 5, slug: "loops", reason: "r", evidence: [] }]);
  const steps = comparedSteps(db, id);
  expect(steps).toHaveLength(100);
  expect(steps[49]).toMatchObject({ number: 50, preview: "echo 50", exitCode: 2, flagged: false, isCommand: true });
  expect(steps[4]?.flagged).toBe(true);
});

test("rejected steps and corrections are marked, and a correction is no second call of the policy's reply", async () => {
  const id = await insertTrajectory(
    db,
    blank({
      steps: [
        ran("ls", "a", 0, { turn: 0 }),
        entry({ note: "rejected", turn: 1, call: { id: null, name: "bash", arguments: "{}", command: "ls" } }),
        ran("cat a", "text", 0, { turn: 1, note: "correction" }),
        ran("pwd", "/", 0, { turn: 2 }),
      ],
    }),
  );
  const { marks } = overview(db, id);
  expect(marks.map((m) => [m & MARKS.numbered, m & MARKS.rejected, m & MARKS.correction, m & MARKS.sameTurn])).toEqual([
    [MARKS.numbered, 0, 0, 0],
    [MARKS.numbered, MARKS.rejected, 0, 0],
    [0, 0, MARKS.correction, 0],
    [MARKS.numbered, 0, 0, 0],
  ]);
  expect(entryOfStep(db, id, 3)).toBe(3);
  expect(comparedSteps(db, id).map((s) => [s.number, s.rejected])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ]);
});
