import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { maySee, visibleItems } from "@/lib/review/blind";
import { ADA, answer, LEAD, makeQueue, reviewIndex } from "@/lib/review/queue.fixture";
import { type AgreementReport, agreementReport } from "./report";

let db: Db;
beforeEach(() => {
  db = reviewIndex();
});
afterEach(() => db.$client.close());
const report = (queue: number, round = 1) => agreementReport(db, queue, LEAD, round) as AgreementReport;
const gold = (item: number, known: object, kind = "gold") =>
  db.$client
    .prepare("update review_item set gold = ?, gold_kind = ? where id = ?")
    .run(JSON.stringify(known), kind, item);

test("kappa of a queue is the one worked out by hand; unsure is a category of its own, and once left out", () => {
  // Of 10 items both answered: 4 wrong/wrong, 3 right/right, 1 wrong/right, 1 unsure/wrong, 1 unsure/unsure; one is a skip.
  const verdicts = [
    ...Array.from({ length: 4 }, () => ["wrong", "wrong"]),
    ...Array.from({ length: 3 }, () => ["right", "right"]),
    ["wrong", "right"],
    ["unsure", "wrong"],
    ["unsure", "unsure"],
    ["skip", "wrong"],
  ] as [string, string][];
  const q = makeQueue(
    db,
    "wrong",
    verdicts.map((_, i) => i + 1),
  );
  verdicts.forEach(([a, b], i) => {
    answer(db, q * 100 + i + 1, 1, a);
    answer(db, q * 100 + i + 1, 2, b);
  });
  const { overall, pairs, shared, raters, standing } = report(q);
  const [apart, without] = overall;
  // po 8/10; ada wrong 5, right 3, unsure 2; bob wrong 5, right 4, unsure 1: pe 0.25 + 0.12 + 0.02.
  expect(apart.raw).toMatchObject({ numerator: 8, denominator: 10 });
  expect(apart.cohen.value).toBeCloseTo((0.8 - 0.39) / 0.61, 10);
  expect(pairs[0]?.kappa.value).toBeCloseTo((0.8 - 0.39) / 0.61, 10);
  // Without them 8 items: po 7/8; ada 5 and 3, bob 4 and 4: pe 0.5.
  expect(without.raw).toMatchObject({ numerator: 7, denominator: 8 });
  expect(without.cohen.value).toBeCloseTo((7 / 8 - 0.5) / 0.5, 10);
  expect(apart.masi).toBeNull();
  expect(shared).toBe(10);
  expect(raters.find((r) => r.person === "ada")).toMatchObject({ answers: 10, skipped: 1, unsure: 2 });
  expect(raters[0]).toMatchObject({ withOthers: { hits: 8, of: 10 } });
  expect(standing).toMatchObject({ unanimous: 7, unsure: 1, conflict: 2, waiting: 1 });
});

test("sets of types: each type as yes or no, the sets by MASI, and what is taken for what", () => {
  const q = makeQueue(db, "types", [1, 2, 3]);
  const say = (item: number, a: number[], b: number[]) => {
    answer(db, q * 100 + item, 1, "types", { types: a });
    answer(db, q * 100 + item, 2, "types", { types: b });
  };
  say(1, [1], [1]);
  say(2, [1, 2], [1]);
  say(3, [2], [3]);
  const { types, overall, confusion } = report(q);
  expect(types.find((t) => t.type === 1)?.raw).toMatchObject({ numerator: 3, denominator: 3 });
  expect(types.find((t) => t.type === 2)).toMatchObject({ said: 2, raw: { numerator: 1, denominator: 3 } });
  expect(types.find((t) => t.type === 5)?.alpha).toMatchObject({ value: null, reason: "one-category" });
  expect(overall[0].masi?.value).toBeGreaterThan(overall[0].alpha.value as number);
  expect(confusion).toContainEqual({ first: "1", second: "1", pairs: 2 });
  expect(confusion).toContainEqual({ first: "2", second: "3", pairs: 1 });
  expect(confusion).toContainEqual({ first: "2", second: "nothing", pairs: 1 });
});

test("known items are outside of agreement, and gold and catch are apart", () => {
  const q = makeQueue(db, "wrong", [1, 2, 3]);
  gold(q * 100 + 1, { verdict: "wrong" });
  gold(q * 100 + 2, { verdict: "right" }, "catch");
  for (const item of [1, 2, 3]) for (const person of [1, 2]) answer(db, q * 100 + item, person, "wrong");
  const { known, shared, overall } = report(q);
  expect(shared).toBe(1);
  expect(overall[0].raw.denominator).toBe(1);
  expect(known.filter((k) => k.person === "ada")).toMatchObject([
    { kind: "gold", accuracy: { hits: 1, of: 1 }, recall: { hits: 1, of: 1 } },
    { kind: "catch", accuracy: { hits: 0, of: 1 }, precision: { hits: 0, of: 1 }, recall: { of: 0, interval: null } },
  ]);
});

test("drift is agreement with the others over a rater's own work; both rounds of a norming one are apart", () => {
  const items = Array.from({ length: 20 }, (_, i) => i + 1);
  const q = makeQueue(db, "wrong", items, { mode: "norming", phase: "again" });
  for (const i of items) {
    answer(db, q * 100 + i, 1, i % 2 ? "wrong" : "right");
    answer(db, q * 100 + i, 2, i <= 10 ? (i % 2 ? "wrong" : "right") : i % 2 ? "right" : "wrong");
    for (const person of [1, 2]) answer(db, q * 100 + i, person, i % 2 ? "wrong" : "right", { round: 2 });
  }
  const first = report(q);
  expect(first.rounds).toEqual([1, 2]);
  expect(first.drift.find((d) => d.person === "ada")?.points.map((p) => p.share)).toEqual([
    1, 1, 1, 1, 1, 0, 0, 0, 0, 0,
  ]);
  expect(first.overall[0].raw).toMatchObject({ numerator: 10, denominator: 20 });
  expect(report(q, 2).overall[0].raw).toMatchObject({ numerator: 20, denominator: 20 });
  expect(first.standing).toMatchObject({ unanimous: 20 });
});

test("answers somebody may not see are in no number of theirs; seeing item by item and at once is the same", () => {
  for (const [mode, phase] of [
    ["queue", "open"],
    ["norming", "blind"],
    ["norming", "again"],
  ] as const) {
    const q = makeQueue(db, "wrong", [1, 2, 3, 4], { mode, phase });
    const at = (n: number) => q * 100 + n;
    for (const n of [1, 2, 3]) answer(db, at(n), 2, "wrong");
    answer(db, at(1), 1, "wrong");
    answer(db, at(2), 1, "skip");
    db.$client.prepare("update review_item set status = 'settled' where id = ?").run(at(4));
    const actors = [
      ADA,
      LEAD,
      { personId: 2, name: "bob", role: "admin" },
      { ...ADA, personId: null, role: "viewer" },
    ] as const;
    for (const actor of actors)
      expect([...visibleItems(db, actor, q)]).toEqual([1, 2, 3, 4].map(at).filter((id) => maySee(db, actor, id)));
    const own = agreementReport(db, q, ADA) as AgreementReport;
    expect(own.raters.find((r) => r.person === "bob")?.answers ?? 0).toBe(phase === "blind" ? 0 : 1);
  }
});
