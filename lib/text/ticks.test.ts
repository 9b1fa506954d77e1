import { expect, test } from "vitest";
import { spacedTicks } from "./ticks";

test("labels that would touch are left out, the first and the last stay", () => {
  const label = (v: number) => String(v);
  expect(spacedTicks([0, 10, 100, 200], (v) => v, label)).toEqual([0, 100, 200]);
  expect(spacedTicks([0, 100, 190, 200], (v) => v, label)).toEqual([0, 100, 200]);
  expect(spacedTicks([10300, 26200, 26400, 75900], (v) => v / 200, label)).toEqual([10300, 26200, 75900]);
  expect(spacedTicks([7], (v) => v, label)).toEqual([7]);
  expect(spacedTicks([], (v) => v, label)).toEqual([]);
});
