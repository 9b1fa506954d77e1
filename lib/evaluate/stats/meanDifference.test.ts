import { expect, test } from "vitest";
import { meanDifferenceInterval } from "./meanDifference";
import { differenceOf, type Pair } from "./rate";

const pair = (before: number, after: number): Pair => ({
  before: { numerator: before, denominator: 8 },
  after: { numerator: after, denominator: 8 },
});
const key = "test";
const first = [pair(6, 2), pair(5, 1), pair(8, 2), pair(4, 3), pair(7, 0), pair(5, 4)];

test("of one group it is the interval of its difference", () => {
  expect(meanDifferenceInterval([first], { key }).interval).toEqual(differenceOf(first, { key }).interval);
});

test("a group counts as much as another, however many clusters it has", () => {
  const second = Array.from({ length: 60 }, (_, i) => pair(4 + (i % 2), 4 + ((i + 1) % 2)));
  const both = meanDifferenceInterval([first, second], { key }).interval;
  const alone = differenceOf(first, { key }).interval;
  // Sixty prefixes that hardly differ add next to nothing but half the weight: half of the six prefixes' difference.
  expect(both?.low).toBeCloseTo((alone?.low ?? 0) / 2, 1);
  expect(both?.high).toBeCloseTo((alone?.high ?? 0) / 2, 1);
  expect(both?.high).toBeLessThan(0);
  const pooled = differenceOf([...first, ...second], { key }).interval;
  expect(pooled?.low).toBeGreaterThan(-0.2);
});

test("nothing that differs, one cluster, or nothing at all: not known", () => {
  expect(meanDifferenceInterval([[pair(4, 4), pair(2, 2)]], { key }).interval).toBeNull();
  expect(meanDifferenceInterval([first, [pair(8, 1)]], { key }).interval).toBeNull();
  expect(meanDifferenceInterval([[], []], { key }).interval).toBeNull();
});
