import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { COUNT_UP_TO, countHits } from "./search";

function dbWith(rows: number) {
  const db = openMemoryDb();
  const add = db.$client.prepare("insert into step_fts (rowid, command, thinking, output) values (?, 'make', '', '')");
  db.$client.transaction(() => {
    for (let i = 1; i <= rows; i++) add.run(i);
  })();
  return db;
}

test("matches are counted exactly up to the limit, and beyond it the count says that there are more", () => {
  expect(countHits(dbWith(7), "steps", "make")).toEqual({ count: 7, more: false });
  expect(countHits(dbWith(COUNT_UP_TO), "steps", "make")).toEqual({ count: COUNT_UP_TO, more: false });
  expect(countHits(dbWith(COUNT_UP_TO + 1), "steps", "make")).toEqual({ count: COUNT_UP_TO, more: true });
  expect(countHits(dbWith(7), "steps", "cmake")).toEqual({ count: 0, more: false });
});
