import { expect, test } from "vitest";
import { tQuantile } from "@/lib/evaluate/stats/distributions";
import { type Arm, pooled } from "./pool";

const unit = (numerator: number, denominator = 10) => ({ numerator, denominator });
/** Same units in every stratum and seed, unless told apart. */
const arm = (...seeds: number[][][]): Arm => ({
  seeds: seeds.map((strata) => strata.map((units) => units.map((n) => unit(n)))),
});

test("values are means over misbehaviors, then over seeds; a reduction is of the means", () => {
  const base = arm([
    [4, 8],
    [2, 2],
  ]);
  const mirl = arm(
    [
      [1, 1],
      [1, 1],
    ],
    [
      [3, 3],
      [1, 1],
    ],
  );
  const [mean, difference, reduction] = pooled(
    [base, mirl],
    [
      { kind: "mean", arms: [1] },
      { kind: "difference", arms: [1, 0] },
      { kind: "reduction", arms: [1, 0] },
    ],
    "k",
  );
  // Base: (0.6 + 0.2) / 2 = 0.4. Seeds: (0.1 + 0.1) / 2 = 0.1 and (0.3 + 0.1) / 2 = 0.2: 0.15.
  expect(mean?.value).toBeCloseTo(0.15);
  expect(difference?.value).toBeCloseTo(-0.25);
  expect(reduction?.value).toBeCloseTo(1 - 0.15 / 0.4);
  expect(difference?.seeds).toEqual([2, 1]);
});

test("seeds alone: the interval is Student's t on three values", () => {
  // Every prefix says the same, so that only seeds differ: 0.1, 0.2, 0.6.
  const three = arm([[1, 1]], [[2, 2]], [[6, 6]]);
  const [mean] = pooled([three], [{ kind: "mean", arms: [0] }], "seeds");
  const se = Math.sqrt(((0.1 - 0.3) ** 2 + (0.2 - 0.3) ** 2 + (0.6 - 0.3) ** 2) / 2 / 3);
  expect(mean?.seSeeds).toBeCloseTo(se, 2);
  expect(mean?.seUnits).toBe(0);
  const half = tQuantile(0.975, 2) * se;
  expect(mean?.interval).toEqual({ low: 0, high: expect.closeTo(0.3 + half, 1) });
});

test("units alone: what all policies share does not widen a paired difference", () => {
  const values = [0, 2, 4, 6, 8, 10];
  const base = arm([values]);
  const [mean, paired, noise] = pooled(
    [base, arm([values.map((v) => v * 0.5)]), arm([[5, 3, 6, 0, 2, 4]])],
    [
      { kind: "mean", arms: [0] },
      { kind: "reduction", arms: [1, 0] },
      { kind: "difference", arms: [2, 0] },
    ],
    "units",
  );
  // SE of the mean of 0, .2, … 1: sd 0.374 / sqrt(6).
  expect(mean?.seUnits).toBeCloseTo(0.1528, 2);
  expect(mean?.seSeeds).toBeNull();
  // Half of each prefix: no resample says otherwise, so no interval is made up.
  expect(paired).toMatchObject({ value: 0.5, interval: null });
  expect(noise?.interval?.low).toBeLessThan(-0.1);
});

test("nothing said is not zero", () => {
  const empty: Arm = { seeds: [[[unit(0, 0), unit(0, 0)]]] };
  const [mean, none] = pooled(
    [empty, arm([[0, 0]])],
    [
      { kind: "mean", arms: [0] },
      { kind: "reduction", arms: [1, 1] },
    ],
    "none",
  );
  expect(mean).toMatchObject({ value: null, interval: null });
  expect(none?.value).toBeNull();
});
