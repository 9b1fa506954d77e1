import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrapInterval } from "./bootstrap";
import { powerTuning, predictionPowered, qualityOf, roganGladen } from "./corrected";
import { ratio } from "./linear";
import { meanPassAtK, passAtK } from "./passAtK";
import { holm, permutationP } from "./permutation";
import { differenceOf, rateOf } from "./rate";
import { meanSeOverSubsets, overRuns, overTasks } from "./scores";

const key = "test";

test("pass@k of the reference vectors", () => {
  for (const [n, c, k, value] of [
    [16, 0, 1, 0],
    [16, 1, 1, 0.0625],
    [16, 1, 4, 0.25],
    [16, 1, 16, 1],
    [16, 5, 8, 0.9871794871794872],
    [16, 15, 2, 1],
    [16, 16, 1, 1],
    [5, 2, 3, 0.9],
    [200, 3, 100, 0.8768844221105527],
  ] as const)
    expect(passAtK(n, c, k)).toBeCloseTo(value, 12);
  expect(passAtK(5, 2, 6)).toBeNull();
  expect(
    meanPassAtK(
      [
        { attempts: 5, solved: 2 },
        { attempts: 2, solved: 0 },
      ],
      3,
    ),
  ).toBeNull();
  expect(meanPassAtK([], 1)).toBeNull();
});

test("pass@1 is the solved share, and more tries never solve less", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.integer({ min: 1, max: 39 }), (n, c, k) => {
      const solved = Math.min(c, n);
      expect(passAtK(n, solved, 1)).toBeCloseTo(solved / n, 12);
      const more = passAtK(n, solved, Math.min(k + 1, n)) as number;
      expect(more).toBeGreaterThanOrEqual((passAtK(n, solved, Math.min(k, n)) as number) - 1e-12);
    }),
  );
});

test("standard errors over subsets of runs, of the reference vectors", () => {
  const scores = [14.6067, 16.8539, 17.9775, 19.1011, 20.2247, 21.3483, 22.4719, 23.5955];
  for (const [k, value] of [
    [2, 1.8258500000000002],
    [3, 1.625263082980349],
    [4, 1.4509174173349237],
    [6, 1.2127462652196392],
    [8, 1.0603742464337769],
  ] as const)
    expect(meanSeOverSubsets(scores, k)).toBeCloseTo(value, 10);
  expect(meanSeOverSubsets(scores, 8)).toBeCloseTo(overRuns(scores).se as number, 12);
  expect([meanSeOverSubsets(scores, 1), meanSeOverSubsets(scores, 9), overRuns([3]).se, overTasks([1])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("the robust error of a share of single trials is the textbook's", () => {
  const clusters = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0].map((numerator) => ({ numerator, denominator: 1 }));
  // p = 0.2 of 10: sqrt(p (1 - p) / (n - 1)).
  expect(ratio(clusters, new Uint16Array(10).fill(1))).toEqual({
    value: 0.2,
    se: expect.closeTo(Math.sqrt(0.16 / 9), 12),
  });
});

test("an interval is the same each time, holds its rate, and is not known where the clusters cannot show it", () => {
  const clusters = [3, 9, 1, 0, 4, 16, 2, 5].map((numerator) => ({ numerator, denominator: 16 }));
  for (const method of ["studentized", "percentile", "bca"] as const) {
    const rate = rateOf(clusters, { key, method });
    expect(rateOf(clusters, { key, method })).toEqual(rate);
    expect(rate.value).toBe(40 / 128);
    expect(rate.interval?.low).toBeLessThan(40 / 128);
    expect(rate.interval?.high).toBeGreaterThan(40 / 128);
  }
  const flat = [0, 0, 0].map((numerator) => ({ numerator, denominator: 16 }));
  // Three clusters without any: Wilson's 0 of 3 with t = 4.3027 of 2 degrees of freedom, t² / (3 + t²).
  expect(rateOf(flat, { key })).toEqual({
    numerator: 0,
    denominator: 48,
    value: 0,
    interval: { low: 0, high: expect.closeTo(18.5128 / 21.5128, 4) },
    clusters: 3,
  });
  expect(rateOf(flat.slice(1, 2), { key }).interval).toBeNull();
  expect(rateOf([], { key })).toMatchObject({ value: null, interval: null });
  expect(rateOf([{ numerator: 0, denominator: 0 }], { key })).toMatchObject({ value: null, clusters: 0 });
  expect(bootstrapInterval(1, (w) => ratio(clusters, w), { key })).toBeNull();
});

test("a paired difference leaves out what one side lacks; its permutation p is exact for few clusters", () => {
  const pair = (before: number, after: number) => ({
    before: { numerator: before, denominator: 4 },
    after: { numerator: after, denominator: 4 },
  });
  const pairs = [pair(4, 1), pair(3, 1), pair(2, 0), pair(4, 2)];
  const lacking = { before: { numerator: 4, denominator: 4 }, after: { numerator: 0, denominator: 0 } };
  const difference = differenceOf([...pairs, lacking], { key });
  expect(difference).toMatchObject({ value: -9 / 16, clusters: 4, p: 2 / 16 });
  expect(difference.interval?.high).toBeLessThan(0);
  // All differences 0: every swap is as large as what was seen.
  expect(permutationP([pair(1, 1), pair(2, 2)], key)).toBe(1);
  expect(permutationP([], key)).toBeNull();
  const many = Array.from({ length: 20 }, () => pair(4, 0));
  expect(permutationP(many, key)).toBeCloseTo(1 / 10_001, 4);
});

test("Holm's adjustment: the worked example of a textbook, unknown ones left out", () => {
  // Holm (1979) on 0.01, 0.04, 0.03, 0.005: 4 x 0.005, 3 x 0.01, 2 x 0.03, then the same.
  expect(holm([0.01, 0.04, null, 0.03, 0.005])).toEqual([0.03, 0.06, null, 0.06, 0.02]);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
});

const windows = (yesYes: number, yesNo: number, noYes: number, noNo: number, unlabelled = 0, unlabelledYes = 0) => ({
  unlabelled,
  unlabelledYes,
  yesYes,
  yesNo,
  noYes,
  noNo,
});

test("corrected rates by hand", () => {
  // Sensitivity 8/10, specificity 27/30; judged yes 11 of 40 and 29 of 60: (0.4 + 0.9 - 1) / 0.7.
  const clusters = [windows(5, 1, 2, 12, 30, 15), windows(3, 1, 1, 15, 30, 14)];
  expect(qualityOf(clusters)).toEqual({
    labels: 40,
    sensitivity: 0.8,
    specificity: 0.9,
    informedness: expect.closeTo(0.7, 12),
  });
  expect(roganGladen(clusters, { key })).toMatchObject({ value: expect.closeTo(0.3 / 0.7, 12) });
  // Covariance 8/40 - 10/40 * 11/40 = 0.13125; judged share 0.4, variance 0.24; 1 + 40/60.
  const lambda = 0.13125 / (0.24 * (1 + 40 / 60));
  expect(powerTuning(clusters, new Uint16Array([1, 1]))).toBeCloseTo(lambda, 12);
  expect(predictionPowered(clusters, { key })).toMatchObject({
    value: expect.closeTo(0.25 + lambda * (29 / 60 - 11 / 40), 12),
    lambda: expect.closeTo(lambda, 12),
  });
});

test("a correction is refused with its reason", () => {
  expect(roganGladen([windows(0, 0, 0, 0, 9, 3)], { key })).toEqual({ refused: { why: "no-labels" } });
  expect(predictionPowered([windows(0, 0, 0, 0, 9, 3)], { key })).toEqual({ refused: { why: "no-labels" } });
  expect(roganGladen([windows(3, 1, 0, 0)], { key })).toEqual({ refused: { why: "one-sided" } });
  expect(roganGladen([windows(5, 5, 5, 5, 10, 5)], { key })).toEqual({
    refused: { why: "uninformative", informedness: 0 },
  });
  // A judge that knows nothing moves nothing.
  expect(predictionPowered([windows(5, 5, 5, 5, 10, 9), windows(5, 5, 5, 5, 10, 9)], { key })).toMatchObject({
    value: 0.5,
    lambda: 0,
  });
});
