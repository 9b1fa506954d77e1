import { expect, test } from "vitest";
import { overlayRows, pointsOf, smoothed } from "./overlay-rows";

test("a trailing mean takes the known values, and makes none where there is none", () => {
  expect(smoothed([1, 3, null, 5, 7], 0)).toEqual([1, 3, null, 5, 7]);
  expect(smoothed([1, 3, null, 5, 7], 2)).toEqual([1, 2, null, 5, 6]);
});

test("rollouts and minutes add up; a time that is not known stays unknown from there", () => {
  const steps = [
    { step: 1, rollouts: 32, ms: 60_000, value: 0 },
    { step: 2, rollouts: 64, ms: 30_000, value: 1 },
    { step: 3, rollouts: 32, ms: null, value: 1 },
    { step: 4, rollouts: 32, ms: 60_000, value: 1 },
  ];
  expect(pointsOf(steps).map((p) => [p.rollouts, p.minutes])).toEqual([
    [32, 1],
    [96, 1.5],
    [128, null],
    [160, null],
  ]);
});

test("trainings of unlike x share rows; a hover between two points says the one before, past the end nothing", () => {
  const line = (xs: number[]) => xs.map((x, i) => ({ step: i + 1, rollouts: x, minutes: x, value: i / 10 }));
  const rows = overlayRows([line([10, 20, 30]), line([15, 30, 45])], "rollouts", 0);
  expect(rows.map((r) => r.x)).toEqual([10, 15, 20, 30, 45]);
  expect(rows.map((r) => r.own.map((o) => o?.step ?? null))).toEqual([
    [1, null],
    [null, 1],
    [2, null],
    [3, 2],
    [null, 3],
  ]);
  expect(rows.map((r) => r.last.map((o) => o?.step ?? null))).toEqual([
    [1, null],
    [1, 1],
    [2, 1],
    [3, 2],
    [null, 3],
  ]);
});
