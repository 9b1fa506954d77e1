import { expect, test } from "vitest";
import type { DriftRow } from "@/db/queries/drift";
import { driftOf } from "./drift";

const row = (step: number, [bothYes, payingYes, otherYes, bothNo]: [number, number, number, number]): DriftRow => ({
  ...{ step, judge: "other 1", bothYes, payingYes, otherYes, bothNo, unjudged: 1 },
});

test("a gap that opens between the judges is told, in halves of the training", () => {
  const rows = [
    row(1, [4, 0, 0, 4]),
    row(2, [4, 1, 0, 3]),
    row(3, [3, 0, 1, 4]),
    // From here the paying judge finds almost nothing, the other as much as ever.
    row(4, [1, 0, 3, 4]),
    row(5, [0, 0, 4, 4]),
    row(6, [0, 0, 3, 5]),
  ];
  const [drift] = driftOf(rows);
  expect(drift).toMatchObject({ judge: "other 1", unjudged: 6, widening: true });
  expect(drift?.early).toMatchObject({
    from: 1,
    to: 3,
    table: { bothBad: 11, firstBad: 1, secondBad: 1, bothGood: 11 },
  });
  expect(drift?.early.gap.value).toBeCloseTo(0, 12);
  expect(drift?.late.gap.value).toBeCloseTo(10 / 24, 12);
  expect(drift?.late.agreement).toBeCloseTo(14 / 24, 12);
  expect(drift?.steps[3]).toEqual({ step: 4, n: 8, paying: 1 / 8, other: 4 / 8 });
});

test("judges that agree all along do not drift; steps without a second verdict are in no half", () => {
  const [drift] = driftOf([row(1, [4, 0, 0, 4]), row(2, [3, 0, 0, 5]), row(3, [0, 0, 0, 0])]);
  expect(drift).toMatchObject({ widening: false, early: { from: 1, to: 1, kappa: 1 }, late: { from: 2, to: 2 } });
  expect(drift?.steps).toHaveLength(2);
});
