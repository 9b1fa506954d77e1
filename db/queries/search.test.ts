import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { COUNT_UP_TO, countHits } from "./search";
import { withBeginnings } from "./search-beginnings";

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

test("what trainings and measurements made is counted apart", () => {
  const db = openMemoryDb();
  const add = db.$client.prepare("insert into step_fts (rowid, command, thinking, output) values (?, 'make', '', '')");
  for (const [i, trajectory] of [1, 1, 2, 3, 3, 3].entries()) add.run(trajectory * SPAN + i);
  db.$client.pragma("foreign_keys = off");
  db.$client.exec(`insert into rollout (group_id, number, trajectory_id) values (1, 1, 2), (1, 2, null);
    insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id) values (1, 1, 1, 1, 1, 3), (1, 1, 1, 1, 2, null);`);
  const counts = (["all", "made", "others"] as const).map((whose) => countHits(db, "steps", "make", whose).count);
  expect(counts).toEqual([6, 4, 2]);
});

test("a beginning finds what the index itself finds for it, in every place of a query", () => {
  const db = openMemoryDb();
  const add = db.$client.prepare("insert into step_fts (rowid, command, thinking, output) values (?, ?, ?, ?)");
  const rows = ["make check", "make Check2", "MAKE chéque", "cmake check", "make a check", "check make", "make"];
  rows.forEach((text, i) => {
    add.run(i + 1, text, i % 2 ? "check" : "", "out");
  });
  const plain = db.$client.prepare("select rowid from step_fts where step_fts match ? order by rowid").pluck();
  for (const query of [
    '"che"*',
    '"make che"*',
    'command : "che"*',
    '"make" AND thinking : "ch"*',
    '"zz"*',
    '"chè"*',
    '"out"',
  ]) {
    const written = withBeginnings(db, "steps", query);
    expect(plain.all(written), query).toEqual(plain.all(query));
    expect(countHits(db, "steps", query).count, query).toBe(plain.all(query).length);
  }
  expect(withBeginnings(db, "steps", '"make che"*')).toBe('("make check" OR "make check2" OR "make cheque")');
});
