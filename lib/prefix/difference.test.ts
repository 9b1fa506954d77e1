import fc from "fast-check";
import { expect, test } from "vitest";
import { compareLines, difference } from "./difference";

const sideOf = (d: ReturnType<typeof difference>, side: "recorded" | "rerun") =>
  d.rows.flatMap((row) => row[side]?.segments.map((s) => s.text).join("") ?? []).join("\n");
const changed = (text: string, d: ReturnType<typeof difference>, side: "recorded" | "rerun") =>
  d.rows.flatMap((row) => row[side]?.segments.filter((s) => s.changed).map((s) => s.text) ?? []).join(text);

test("marks the characters that differ, in the line where they stand", () => {
  const d = difference("a\ncount 812 of 900\nz", "a\ncount 813 of 900\nz");
  expect(d.first).toBe(1);
  expect(changed("|", d, "recorded")).toBe("2");
  expect(changed("|", d, "rerun")).toBe("3");
  expect(d.cut).toEqual([]);
});

test("a line in front moves nothing else", () => {
  const d = difference("one\ntwo", "zero\none\ntwo");
  expect(d.rows.map((r) => [r.recorded?.number ?? null, r.rerun?.number ?? null])).toEqual([
    [null, 1],
    [1, 2],
    [2, 3],
  ]);
});

test("lines that differ only in a time stand beside each other although one is new", () => {
  const d = difference("18:30:01 a\n18:30:02 b", "19:00:00 start\n19:00:01 a\n19:00:02 b");
  expect(d.rows.at(-1)).toMatchObject({ recorded: { number: 2 }, rerun: { number: 3 } });
});

test("big outputs are bounded, and what was left out is said", () => {
  const lines = (n: number, mark: string) => Array.from({ length: n }, (_, i) => `${mark}${i}`).join("\n");
  const d = difference(lines(9000, "a"), lines(9000, "b"));
  expect(d.rows.length).toBe(4000);
  expect(d.cut.join(" ")).toMatch(/5000 of 9000 lines are not shown.*too much to align/);
  const [left] = compareLines(`${"x".repeat(50_000)}1`, `${"x".repeat(50_000)}2`);
  expect(left.filter((s) => s.changed).map((s) => s.text)).toEqual(["1"]);
});

test("both sides keep every character, and rows are same exactly when their lines are equal", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "12", "18:30:08", "\n", " "), { maxLength: 20 })
    .map((p) => p.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const d = difference(a, b);
      expect(sideOf(d, "recorded")).toBe(a);
      expect(sideOf(d, "rerun")).toBe(b);
      expect(d.first === null).toBe(a === b);
      for (const row of d.rows)
        if (row.recorded && row.rerun && !row.same)
          expect([...row.recorded.segments, ...row.rerun.segments].some((s) => s.changed)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
