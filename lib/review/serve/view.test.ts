import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { blank, entry, insertTrajectory, ran } from "@/e2e/support/insert";
import { createQueue } from "@/lib/review/queue/create";
import { addPerson } from "@/lib/review/seedForTests";
import { answerItem } from "./answer";
import { claimNext } from "./claim";
import { revealed } from "./reveal";
import { blindEntries, blindItem, taskEntry } from "./view";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

test("a rejected step is shown without what tells that it was rejected, until the own answer", async () => {
  const trajectory = await insertTrajectory(
    db,
    blank({
      steps: [
        entry({ kind: "user", message: "count the lines" }),
        entry({ note: "rejected", message: "earlier slip", turn: 0 }),
        ran("wc -l a", "3 a", 0, { note: "correction", actor: "teacher", turn: 0 }),
        entry({ note: "rejected", message: "rm a", turn: 1 }),
        ran("cat a", "x", 0, { note: "correction", actor: "teacher", turn: 1 }),
      ],
    }),
  );
  const lead = addPerson(db, "lead", "admin");
  const rater = addPerson(db, "rater");
  const { queueId } = createQueue(
    db,
    lead,
    { kind: "ids", ids: [stepId(trajectory, 3)] },
    { name: "q", question: "wrong", raters: 2, draw: { strategy: "all", n: 1 } },
  );
  const next = claimNext(db, rater, queueId);
  const itemId = next.state === "item" ? next.itemId : 0;
  const shown = () => {
    const item = blindItem(db, rater, queueId, itemId);
    return blindEntries(db, item, 0, 50).map((row) => [row.index, row.note, row.actor]);
  };
  expect(shown()).toEqual([
    [0, null, null],
    [2, null, null],
    [3, null, null],
  ]);
  expect(taskEntry(db, blindItem(db, rater, queueId, itemId))?.index).toBe(0);
  expect(revealed(db, rater, queueId, itemId)).toEqual({ others: null, model: null, settled: null });
  expect(() => blindItem(db, addPerson(db, "stranger"), queueId, itemId)).toThrow("not in your hands");
  answerItem(db, rater, queueId, { itemId, key: "own-answer", answer: { verdict: "wrong" }, durationMs: 900 });
  expect(shown().map(([index, note]) => [index, note])).toEqual([
    [0, null],
    [1, "rejected"],
    [2, "correction"],
    [3, "rejected"],
    [4, "correction"],
  ]);
  expect(revealed(db, rater, queueId, itemId)).toMatchObject({ others: [], model: { corrections: [] } });
});
