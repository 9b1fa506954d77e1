import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { NotAllowed } from "@/lib/people/actor";
import { ADA, answer, LEAD, makeQueue, reviewIndex } from "@/lib/review/queue.fixture";
import { decide } from "@/lib/review/settle/decide";
import { makeTrajectory } from "@/lib/taxonomy/testing";
import { exportReview } from "./export";
import { importReview } from "./import";

let db: Db;
let steps: number[];
let q: number;
beforeEach(() => {
  db = reviewIndex();
  steps = makeTrajectory(db, [["make", "retry-same-cause"], ["ls"], ["cat x"]]);
  q = makeQueue(db, "types", steps);
});
afterEach(() => db.$client.close());

type Line = Record<string, unknown>;
const lines = (blind: boolean) => [...exportReview(db, LEAD, q, { blind })] as Line[];
const file = (all: readonly object[]) => all.map((line) => JSON.stringify(line)).join("\n");
const stored = () =>
  db.$client
    .prepare(
      `select i.position as item, p.name as person, a.verdict, a.types, a.origin from review_answer a
       join review_item i on i.id = a.item_id join person p on p.id = a.person_id where a.current = 1 order by a.id`,
    )
    .all();

test("a blind export has the text of each item and nothing that anybody said", () => {
  answer(db, q * 100 + 1, 1, "types", { types: [2], reason: "seen it before" });
  decide(db, q * 100 + 2, { verdict: "right", comment: "fine" }, LEAD);
  const [head, ...items] = lines(true);
  expect(head).toMatchObject({ question: "types", guideline: { version: 1, text: "Look." }, taxonomy: { version: 1 } });
  expect(items).toHaveLength(3);
  expect(items[1]).toMatchObject({ item: 2, subject: steps[1], person: null, verdict: null });
  expect(items[1]?.text).toMatch(/make[\s\S]*asked about[\s\S]*ls/);
  const text = file(items);
  for (const word of ["seen it before", "fine", "ada", "retry", "rules"]) expect(text).not.toContain(word);
});

test("filled in elsewhere it merges: new people, the same twice, a conflict left out, open items counted", () => {
  answer(db, q * 100 + 1, 1, "right");
  const [head, one, two, three] = lines(true) as [Line, Line, Line, Line];
  const filled = file([
    head,
    { ...one, person: "Dana", verdict: "types", types: ["retry-same-cause"], seconds: 12 },
    { ...one, person: "ADA", verdict: "unsure" },
    { ...two, person: "Dana", verdict: "right", types: null },
    three,
  ]);
  expect(importReview(db, LEAD, q, filled)).toEqual({
    ...{ taken: 2, present: 0, open: 1, settlements: 0, people: ["Dana"], bad: [] },
    conflicts: [{ line: 3, item: 1, person: "ADA", here: "right:", file: "unsure:" }],
  });
  expect(importReview(db, LEAD, q, filled)).toMatchObject({ taken: 0, present: 2, people: [] });
  expect(stored()).toMatchObject([
    { item: 1, person: "ada", verdict: "right", origin: "here" },
    { item: 1, person: "Dana", verdict: "types", origin: "import" },
    { item: 2, person: "Dana", verdict: "right", types: null },
  ]);
  expect(db.$client.prepare("select answers, status from review_item where position = 1").get()).toEqual({
    answers: 2,
    status: "answered",
  });
});

test("an export with answers merges into the same queue; its settlements are not taken over", () => {
  answer(db, q * 100 + 1, 1, "types", { types: [2, 3] });
  answer(db, q * 100 + 1, 2, "skip");
  decide(db, q * 100 + 1, { verdict: "right" }, LEAD);
  const text = file(lines(false));
  expect(importReview(db, LEAD, q, text)).toMatchObject({ taken: 0, present: 2, settlements: 1, bad: [] });
  const before = stored();
  db.$client.prepare("delete from review_answer").run();
  expect(importReview(db, LEAD, q, text)).toMatchObject({ taken: 2, conflicts: [] });
  expect(stored()).toEqual(before.map((row) => ({ ...(row as object), origin: "import" })));
});

test("one bad line and nothing is taken; each is named", () => {
  const [head, one, two] = lines(true) as [Line, Line, Line];
  const filled = [
    JSON.stringify(head),
    JSON.stringify({ ...one, person: "Dana", verdict: "right" }),
    "{",
    JSON.stringify({ ...two, person: "Dana", verdict: "maybe" }),
    JSON.stringify({ ...two, person: "Dana", verdict: "types", types: ["no-such"] }),
    JSON.stringify({ ...two, verdict: "right" }),
    JSON.stringify({ ...two, subject: 99, person: "Dana", verdict: "right" }),
    JSON.stringify({ ...one, person: "dana", verdict: "unsure" }),
    JSON.stringify({ ...two, person: "Dana", verdict: "wrong" }),
  ].join("\n");
  const { taken, bad } = importReview(db, LEAD, q, filled);
  expect([taken, bad.map((b) => b.line)]).toEqual([0, [3, 4, 5, 6, 7, 8, 9]]);
  expect(stored()).toEqual([]);
  expect(db.$client.prepare("select count(*) from person where name = 'Dana'").pluck().get()).toBe(0);
});

test("another taxonomy or guideline, a closed queue and people without the role are refused", () => {
  const [head, one] = lines(true) as [Line, Line];
  const filled = { ...one, person: "Dana", verdict: "right" };
  const importing = (over: object) => () => importReview(db, LEAD, q, file([{ ...head, ...over }, filled]));
  expect(importing({ taxonomy: { name: "other", version: 1 } })).toThrow(/taxonomy|other/);
  expect(importing({ guideline: { version: 2, text: "Look." } })).toThrow(/no guideline version 2/);
  expect(importing({ guideline: { version: 1, text: "Look twice." } })).toThrow(/something else/);
  expect(importing({ question: "wrong" })).toThrow(/asks "wrong"/);
  expect(() => importReview(db, LEAD, q, file([filled]))).toThrow(/first line/);
  expect(() => importReview(db, ADA, q, file([head, filled]))).toThrow(NotAllowed);
  expect(() => [...exportReview(db, ADA, q, { blind: true })]).toThrow(NotAllowed);
  db.$client.prepare("update review_queue set phase = 'closed'").run();
  expect(importing({})).toThrow(/takes no answers/);
});
