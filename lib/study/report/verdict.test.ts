import { expect, test } from "vitest";
import { verdictOf, verdictOfAll, verdictOfSeeds } from "./verdict";

const of = (low: number, high: number, holds: "above" | "below", limit = 0) =>
  verdictOf({ interval: { low, high }, holds, limit });

test("the interval decides: wholly on one side of the limit, or nothing", () => {
  expect(of(1, 4, "above")).toBe("reproduced");
  expect(of(-4, -1, "above")).toBe("not reproduced");
  expect(of(-1, 4, "above")).toBe("cannot be told here");
  expect(of(0, 4, "above")).toBe("cannot be told here");
  expect(of(-4, -1, "below")).toBe("reproduced");
  expect(of(61, 80, "above", 60)).toBe("reproduced");
  expect(of(55, 80, "above", 60)).toBe("cannot be told here");
  expect(verdictOf({ interval: null, holds: "below", limit: 0 })).toBe("cannot be told here");
});

test("a finding of several numbers holds when all hold, and falls with one", () => {
  expect(verdictOfAll(["reproduced", "reproduced"])).toBe("reproduced");
  expect(verdictOfAll(["reproduced", "cannot be told here"])).toBe("cannot be told here");
  expect(verdictOfAll(["cannot be told here", "not reproduced"])).toBe("not reproduced");
  expect(verdictOfAll([])).toBe("cannot be told here");
});

test("counts are told apart when every seed is on the same side", () => {
  expect(verdictOfSeeds([1, 2], [3, 4], "below")).toBe("reproduced");
  expect(verdictOfSeeds([1, 3], [2, 4], "below")).toBe("cannot be told here");
  expect(verdictOfSeeds([5], [2, 4], "below")).toBe("not reproduced");
  expect(verdictOfSeeds([], [2], "below")).toBe("cannot be told here");
});
