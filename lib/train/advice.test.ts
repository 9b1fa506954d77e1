import { expect, it } from "vitest";
import { adviceOn } from "./advice";

const record = (over: Partial<Parameters<typeof adviceOn>[0]>) => ({
  groups: 8,
  allFail: 0,
  allPass: 0,
  vetoed: 0,
  infrastructure: 0,
  ...over,
});

it.each([
  ["too-few", record({ groups: 2, allFail: 2 })],
  ["useful", record({ allFail: 4 })],
  ["useful", record({ allFail: 3, allPass: 3 })],
  ["too-hard", record({ allFail: 6 })],
  ["too-hard", record({ allFail: 4, vetoed: 3 })],
  ["too-easy", record({ allPass: 7 })],
  ["always-vetoed", record({ vetoed: 6 })],
  ["unreachable", record({ infrastructure: 6 })],
] as const)("says %s", (advice, given) => {
  expect(adviceOn(given)).toBe(advice);
});
