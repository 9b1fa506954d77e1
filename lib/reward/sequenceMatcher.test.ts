import fs from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { similarity } from "./sequenceMatcher";

const { texts, pairs } = JSON.parse(fs.readFileSync(new URL("./fixtures/difflib.json", import.meta.url), "utf8")) as {
  texts: string[];
  pairs: [number, number, number][];
};

it.each(pairs.map(([a, b, ratio], i) => ({ i, a, b, ratio })))(
  "gives CPython's ratio for pair $i",
  ({ a, b, ratio }) => {
    expect(similarity(texts[a] as string, texts[b] as string)).toBeCloseTo(ratio, 14);
  },
);

it("is 1 for a text and itself below the autojunk length, and stays within 0 and 1", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 199 }), fc.string({ maxLength: 300 }), (a, b) => {
      expect(similarity(a, a)).toBe(1);
      const ratio = similarity(a, b);
      expect(ratio).toBeGreaterThanOrEqual(0);
      expect(ratio).toBeLessThanOrEqual(1);
    }),
  );
});

it("counts code points, as Python does", () => {
  expect(similarity("😀a", "😀b")).toBe(0.5);
});
