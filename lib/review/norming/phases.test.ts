import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { reviewQueueById } from "@/db/queries/reviewAnswers";
import { NotAllowed } from "@/lib/people/actor";
import { agreementReport } from "@/lib/review/agreement/report";
import { ADA, answer, LEAD, makeQueue, reviewIndex } from "@/lib/review/queue.fixture";
import { visibleAnswers } from "@/lib/review/visibleAnswers";
import { addNote, advance, notesOf } from "./phases";

let db: Db;
let q: number;
beforeEach(() => {
  db = reviewIndex();
  q = makeQueue(db, "wrong", [1, 2, 3, 4], { mode: "norming", phase: "blind" });
});
afterEach(() => db.$client.close());
const queue = () => reviewQueueById(db, q) as NonNullable<ReturnType<typeof reviewQueueById>>;
const seen = () => visibleAnswers(db, ADA, queue()).answers.map((a) => `${a.person} ${a.itemId - q * 100} r${a.round}`);

test("blind, revealed, again, closed: each once, with the agreement of both rounds side by side", () => {
  expect(() => advance(db, LEAD, q, "blind")).toThrow(/Nobody has voted/);
  const first = [
    ["wrong", "right"],
    ["wrong", "wrong"],
    ["right", "right"],
    ["right", "wrong"],
  ] as const;
  first.forEach(([a, b], i) => {
    answer(db, q * 100 + i + 1, 1, a);
    answer(db, q * 100 + i + 1, 2, b);
  });
  expect(seen()).toEqual([]);
  expect(() => addNote(db, ADA, q * 100 + 1, "hm")).toThrow(/before it they would tell/);
  expect(() => advance(db, ADA, q, "blind")).toThrow(NotAllowed);
  db.$client
    .prepare("insert into review_claim (item_id, person_id, until) values (?, 1, 9999999999999)")
    .run(q * 100 + 1);
  expect(advance(db, LEAD, q, "blind")).toBe("revealed");
  expect(db.$client.prepare("select count(*) from review_claim").pluck().get()).toBe(0);
  expect(() => advance(db, LEAD, q, "blind")).toThrow(/by now/);
  expect(seen()).toHaveLength(8);
  addNote(db, ADA, q * 100 + 1, "the guideline does not say");
  expect(notesOf(db, q)).toMatchObject([{ person: "ada", text: "the guideline does not say", itemId: q * 100 + 1 }]);
  expect(advance(db, LEAD, q, "revealed")).toBe("again");
  for (const i of [1, 2, 3, 4]) answer(db, q * 100 + i, 2, i <= 2 ? "wrong" : "right", { round: 2 });
  // A second vote is not seen before one's own.
  expect(seen().filter((s) => s.endsWith("r2"))).toEqual([]);
  answer(db, q * 100 + 1, 1, "wrong", { round: 2 });
  expect(seen().filter((s) => s.endsWith("r2"))).toEqual(["bob 1 r2", "ada 1 r2"]);
  for (const i of [2, 3, 4]) answer(db, q * 100 + i, 1, i <= 2 ? "wrong" : "right", { round: 2 });
  expect(advance(db, LEAD, q, "again")).toBe("closed");
  const kappa = (round: number) => agreementReport(db, q, ADA, round)?.overall[0].cohen.value;
  expect([kappa(1), kappa(2)]).toEqual([0, 1]);
  expect(() => advance(db, LEAD, q, "closed")).toThrow(/closed/);
  expect(() => addNote(db, ADA, q * 100 + 1, "late")).toThrow(/closed/);
});

test("an ordinary queue has no phases", () => {
  const plain = makeQueue(db, "wrong", [5]);
  expect(() => advance(db, LEAD, plain, "open")).toThrow(/no norming queue/);
});
