import { expect, test } from "vitest";
import { bytes, duration, percent, share } from "./numbers";

test("a share without a whole is unknown, not zero", () => {
  expect(percent(share(0, 0))).toBe("—");
  expect(percent(share(0, 10))).toBe("0.0%");
  expect(percent(share(1963, 12746))).toBe("15.4%");
});

test("sizes and durations keep their unit at the edges", () => {
  expect([bytes(999), bytes(1000), bytes(999_999), bytes(1_500_000)]).toEqual([
    "999 B",
    "1.0 kB",
    "1000.0 kB",
    "1.5 MB",
  ]);
  expect([duration(999), duration(59_940), duration(61_000), duration(3_720_000)]).toEqual([
    "999 ms",
    "59.9 s",
    "1 min 01 s",
    "1 h 02 min",
  ]);
});
