import { expect, test } from "vitest";
import { entriesById, readId, readIds } from "./ids";

test("ids as models write them", () => {
  expect([12, "12", "#12", " id 12", "ID: 12", "example 12.", "# 12"].map(readId)).toEqual(Array(7).fill(12));
  expect([1.5, -1, "twelve", "12a", "1 2", null, {}, "", "12, 13"].map(readId)).toEqual(Array(9).fill(null));
});

test("a list keeps each known id once and names what it left out", () => {
  const { ids, unknown, repairs } = readIds([3, "#1", 3, 99, "x"], new Set([1, 2, 3]));
  expect(ids).toEqual([3, 1]);
  expect(unknown).toEqual([99, "x"]);
  expect(repairs.join("; ")).toMatch(/1 ids were no plain numbers; .*twice in a list: 3; .*left out: 99, x/);
});

const entries = (...all: [unknown, string][]) => all.map(([id, entry]) => ({ id, entry }));

test("every id of a batch has exactly one answer, or the reply is not read", () => {
  const asked = [1, 2];
  const fault = (all: [unknown, string][]) => {
    const read = entriesById(entries(...all), asked);
    return read.ok ? null : read.reason;
  };
  expect(entriesById(entries([2, "b"], [1, "a"]), asked)).toEqual({
    ok: true,
    output: new Map([
      [2, "b"],
      [1, "a"],
    ]),
    repairs: [],
  });
  expect(fault([[1, "a"]])).toBe("no answer for id 2");
  // With an id missing, an unknown one may be meant for it.
  expect(
    fault([
      [1, "a"],
      [22, "b"],
    ]),
  ).toMatch(/no answer for id 2; .*22/);
  expect(
    fault([
      [1, "a"],
      [2, "b"],
      [2, "c"],
    ]),
  ).toMatch(/id 2 comes twice/);
  expect(
    fault([
      [1, "a"],
      [2, "b"],
      [2, "b"],
      [9, "z"],
    ]),
  ).toBeNull();
  const merged = entriesById(entries([1, "a"], [2, "b"], ["2", "c"]), asked, { merge: (one, other) => one + other });
  expect(merged).toMatchObject({
    ok: true,
    output: new Map([
      [1, "a"],
      [2, "bc"],
    ]),
  });
});
