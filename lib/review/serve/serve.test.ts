import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { NotAllowed } from "@/lib/people/actor";
import { maySee } from "@/lib/review/blind";
import { createQueue, type NewQueue } from "@/lib/review/queue/create";
import { ReviewRefused } from "@/lib/review/queue/queue";
import { addFlagged, addPerson } from "@/lib/review/seedForTests";
import type { ReviewAnswerInput } from "@/lib/review/types";
import { answerItem, readingMs, undoLast } from "./answer";
import { claimNext, letGo, renewClaims } from "./claim";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const MINUTE = 60_000;
const T0 = 1_800_000_000_000;
type Someone = ReturnType<typeof addPerson>;

function queue(over: Partial<NewQueue> = {}, steps = 4): number {
  addFlagged(db, 1, steps);
  const admin = addPerson(db, "lead", "admin");
  const source = { kind: "trajectories", filters: NO_FILTERS, steps: "flagged" } as const;
  return createQueue(db, admin, source, {
    ...{ name: "q", question: "wrong", raters: 2, draw: { strategy: "all", n: 1 } },
    ...over,
  }).queueId;
}

const take = (q: number, who: Someone, now = T0, inHand: number[] = []): number => {
  const next = claimNext(db, who, q, { inHand, now });
  if (next.state !== "item") throw new Error(`nothing to take: ${next.state}`);
  return next.itemId;
};
let keys = 0;
const give = (
  q: number,
  who: Someone,
  itemId: number,
  answer: ReviewAnswerInput,
  now = T0,
  key = `key-${++keys}-abc`,
) => answerItem(db, who, q, { itemId, key, answer, durationMs: 5000 }, { now });
const item = (id: number) =>
  db.$client.prepare("select answers, status from review_item where id = ?").get(id) as {
    answers: number;
    status: string;
  };
const rows = (itemId: number) =>
  db.$client
    .prepare("select person_id as p, verdict, current from review_answer where item_id = ? order by id")
    .all(itemId);

test("an item has no more places than raters: answers and live leases fill them, an ended lease frees one", () => {
  const q = queue({}, 1);
  const [a, b, c] = [addPerson(db, "a"), addPerson(db, "b"), addPerson(db, "c")];
  const i = take(q, a);
  give(q, a, i, { verdict: "wrong" });
  expect(take(q, b)).toBe(i);
  expect(claimNext(db, c, q, { now: T0 + MINUTE })).toEqual({ state: "waiting", items: 1, from: T0 + 15 * MINUTE });
  expect(take(q, c, T0 + 16 * MINUTE)).toBe(i);
  give(q, c, i, { verdict: "right" }, T0 + 17 * MINUTE);
  expect(item(i)).toEqual({ answers: 2, status: "answered" });
  // Nothing is lost: the late answer stays beside the others.
  expect(give(q, b, i, { verdict: "unsure" }, T0 + 20 * MINUTE)).toMatchObject({ extra: true });
  expect(item(i)).toEqual({ answers: 3, status: "answered" });
  expect(claimNext(db, c, q, { now: T0 + 21 * MINUTE })).toEqual({ state: "finished" });
});

test("a late answer whose place nobody took is an ordinary one", () => {
  const q = queue({ raters: 1 }, 1);
  const a = addPerson(db, "a");
  const i = take(q, a);
  expect(give(q, a, i, { verdict: "wrong" }, T0 + 60 * MINUTE)).toMatchObject({ extra: false });
  expect(item(i)).toEqual({ answers: 1, status: "answered" });
});

test("who comes back after a crash gets what they had in hand; a page that holds items gets others", () => {
  const q = queue();
  const a = addPerson(db, "a");
  const first = take(q, a);
  const second = take(q, a, T0, [first]);
  expect(second).not.toBe(first);
  expect(take(q, a, T0 + MINUTE)).toBe(first);
  expect(take(q, a, T0 + MINUTE, [first])).toBe(second);
  letGo(db, a, q, [first]);
  expect(renewClaims(db, a, q, [first, second], T0 + 2 * MINUTE)).toEqual({ until: T0 + 17 * MINUTE, lost: [first] });
});

test("an answer sent twice is one answer; with another key it is a change that keeps the old row", () => {
  const q = queue();
  const a = addPerson(db, "a");
  const i = take(q, a);
  const one = give(q, a, i, { verdict: "wrong", reason: "no such file" }, T0, "same-key-1");
  expect(give(q, a, i, { verdict: "wrong" }, T0, "same-key-1")).toMatchObject({
    answerId: one.answerId,
    repeated: true,
  });
  expect(item(i).answers).toBe(1);
  give(q, a, i, { verdict: "right" });
  expect(rows(i)).toEqual([
    { p: a.personId, verdict: "wrong", current: 0 },
    { p: a.personId, verdict: "right", current: 1 },
  ]);
  expect(item(i).answers).toBe(1);
});

test("a skipped item goes to others and never again to who skipped it", () => {
  const q = queue({ raters: 1 }, 1);
  const [a, b] = [addPerson(db, "a"), addPerson(db, "b")];
  const i = take(q, a);
  give(q, a, i, { verdict: "skip" });
  expect(item(i)).toEqual({ answers: 0, status: "open" });
  expect(claimNext(db, a, q, { now: T0 })).toEqual({ state: "finished" });
  expect(take(q, b)).toBe(i);
});

test("undo takes back the last answer and gives the item again", () => {
  const q = queue({ raters: 1 });
  const a = addPerson(db, "a");
  const i = take(q, a);
  give(q, a, i, { verdict: "wrong", reason: "typo" });
  const next = take(q, a);
  expect(undoLast(db, a, q, T0)).toEqual({ itemId: i, verdict: "wrong", types: [], reason: "typo" });
  expect(item(i)).toEqual({ answers: 0, status: "open" });
  expect([take(q, a), take(q, a, T0, [i])].sort()).toEqual([i, next].sort());
  expect(rows(i)).toEqual([{ p: a.personId, verdict: "wrong", current: 0 }]);
  expect(undoLast(db, a, q, T0)).toBeNull();
});

test("known items are given to everybody", () => {
  const q = queue({ raters: 1, given: [{ subjectId: 1_048_576, verdict: "wrong" }] }, 1);
  for (const name of ["a", "b", "c"]) {
    const who = addPerson(db, name);
    const i = take(q, who);
    give(q, who, i, { verdict: "right" });
    expect(claimNext(db, who, q, { now: T0 })).toEqual({ state: "finished" });
  }
});

test("answers of another question, types of another version and a missing reason are refused with nothing written", () => {
  const q = queue({ question: "types", reason: "first" });
  const a = addPerson(db, "a");
  const i = take(q, a);
  const types = db.$client
    .prepare("select id from error_type where taxonomy_id = 1 order by id limit 2")
    .pluck()
    .all() as number[];
  expect(() => give(q, a, i, { verdict: "wrong", reason: "x" })).toThrow(ReviewRefused);
  expect(() => give(q, a, i, { verdict: "types", types: [999_999], reason: "x" })).toThrow("not of this queue's");
  expect(() => give(q, a, i, { verdict: "types", types })).toThrow("asks for a reason");
  expect(rows(i)).toEqual([]);
  give(q, a, i, { verdict: "types", types: [...types].reverse(), reason: "both" });
  expect(db.$client.prepare("select types from review_answer").pluck().get()).toBe(JSON.stringify(types));
});

test("nobody answers what they never had, nobody without a name, no viewer; work begun before closing is taken", () => {
  const q = queue();
  const a = addPerson(db, "a");
  const i = take(q, a);
  expect(() => give(q, addPerson(db, "b"), i, { verdict: "wrong" })).toThrow(ReviewRefused);
  expect(() => claimNext(db, { personId: null, name: "web", role: "admin" }, q)).toThrow(NotAllowed);
  expect(() => claimNext(db, addPerson(db, "v", "viewer"), q)).toThrow(NotAllowed);
  db.$client.prepare("update review_queue set phase = 'closed'").run();
  expect(claimNext(db, a, q, { now: T0 })).toEqual({ state: "closed" });
  give(q, a, i, { verdict: "wrong" });
  expect(() => give(q, a, i, { verdict: "right" })).toThrow("closed");
});

test("faster than the words can be read is marked", () => {
  const q = queue();
  const a = addPerson(db, "a");
  const slow = take(q, a);
  const key = "reading-key";
  const given = { itemId: slow, key, answer: { verdict: "wrong" as const }, durationMs: readingMs(80) };
  expect(answerItem(db, a, q, given, { words: 80, now: T0 }).tooFast).toBe(false);
  const fast = take(q, a);
  const quick = { ...given, itemId: fast, key: `${key}2`, durationMs: readingMs(80) - 1 };
  expect(answerItem(db, a, q, quick, { words: 80, now: T0 }).tooFast).toBe(true);
});

test("only who has answered may see, and admins who do not rate", () => {
  const q = queue({ raters: 3 });
  const [a, b] = [addPerson(db, "a"), addPerson(db, "b")];
  const [lead, rating] = [addPerson(db, "lead2", "admin"), addPerson(db, "lead3", "admin")];
  const viewer = addPerson(db, "v", "viewer");
  const i = take(q, a);
  give(q, a, i, { verdict: "wrong" });
  take(q, rating);
  expect([a, b, lead, rating, viewer].map((who) => maySee(db, who, i))).toEqual([true, false, true, false, false]);
  take(q, b);
  give(q, b, i, { verdict: "skip" });
  expect(maySee(db, b, i)).toBe(false);
  db.$client.prepare("update review_item set status = 'settled' where id = ?").run(i);
  expect([b, rating, viewer].every((who) => maySee(db, who, i))).toBe(true);
});

test("many raters at once never get an item twice and every answer is there", () => {
  const q = queue({ raters: 3 }, 30);
  const people = Array.from({ length: 7 }, (_, n) => addPerson(db, `p${n}`));
  const seen = new Map<number, Set<number>>();
  for (let turn = 0; turn < 400; turn++) {
    const who = people[(turn * 3) % people.length] as Someone;
    const next = claimNext(db, who, q, { now: T0 + turn });
    if (next.state !== "item") continue;
    const had = seen.get(who.personId) ?? new Set();
    expect(had.has(next.itemId)).toBe(false);
    seen.set(who.personId, had.add(next.itemId));
    give(q, who, next.itemId, { verdict: "wrong" }, T0 + turn);
  }
  expect(db.$client.prepare("select count(*) from review_answer").pluck().get()).toBe(90);
  expect(db.$client.prepare("select distinct answers from review_item").pluck().all()).toEqual([3]);
});
