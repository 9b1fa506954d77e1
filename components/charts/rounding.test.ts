import { expect, test } from "vitest";
import { isZeroToRounding } from "./rounding";

test("values are zero to rounding when all that are known are below the limit", () => {
  expect(isZeroToRounding([1.75e-13, -3.15e-13, 0, null], 1e-9)).toBe(true);
  expect(isZeroToRounding([1.75e-13, 2e-9], 1e-9)).toBe(false);
  expect(isZeroToRounding([-1], 1e-9)).toBe(false);
  expect(isZeroToRounding([null, undefined], 1e-9)).toBe(false);
  expect(isZeroToRounding([], 1e-9)).toBe(false);
});
