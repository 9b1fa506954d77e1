import { expect, test } from "vitest";
import { groupsOf, policyCost, rolloutsOf, uncachedShare } from "./estimate";

/** Published resources (paper Fig. 10 and Table 4): settings, printed counts, and the steps a rollout that fit the printed cost. */
const PRICE = { input: 0.33, cached: 0.066, output: 1.005 };
const ROWS = [
  {
    name: "tmax-4b",
    plan: [200, 8, 32, 0.325, 0],
    rollouts: 75_900,
    tokens: [30.9e9, 919e6],
    fee: 0,
    cost: 3521.5,
    steps: 29.35,
  },
  {
    name: "tmax-189",
    plan: [150, 8, 16, 0.273, 0],
    rollouts: 26_400,
    tokens: [10.9e9, 344e6],
    fee: 0,
    cost: 1257.1,
    steps: 29.35,
  },
  {
    name: "pivotrl",
    plan: [595, 8, 16, 0.253, 31_136],
    rollouts: 133_100,
    tokens: [1.3e9, 53e6],
    fee: 519.5,
    cost: 999.3,
    steps: 1,
  },
  {
    name: "rar+",
    plan: [80, 8, 16, 0.0013, 0],
    rollouts: 10_300,
    tokens: [4.8e9, 126e6],
    fee: 251.1,
    cost: 769.6,
    steps: 33.8,
  },
  {
    name: "mirl",
    plan: [100, 8, 16, 0.422, 4034],
    rollouts: 26_200,
    tokens: [10.5e9, 262e6],
    fee: 737.1,
    cost: 1960.3,
    steps: 20.8,
  },
] as const;

test.each(ROWS)(
  "$name: rollouts and cost are the published ones, within the rounding of the published tokens",
  (row) => {
    const [steps, batch, group, dead, preprocessing] = row.plan;
    const rollouts = rolloutsOf({ steps, batch, group, dead, preprocessing });
    expect(Math.round(rollouts / 100) * 100).toBe(row.rollouts);
    const [input, output] = row.tokens;
    const at = (di: number, d: number) =>
      policyCost({ input: input + di, output: output + d }, PRICE, uncachedShare(row.steps)) + row.fee;
    // Input is printed in tenths of a billion, output in millions.
    expect(at(-0.05e9, -0.5e6)).toBeLessThanOrEqual(row.cost);
    expect(at(0.05e9, 0.5e6)).toBeGreaterThanOrEqual(row.cost);
  },
);

test("without the cap one-step rollouts would cost more than was published", () => {
  expect(uncachedShare(1)).toBe(1);
  expect(uncachedShare(2)).toBe(1);
  expect(uncachedShare(20)).toBe(0.1);
  expect(policyCost({ input: 1.3e9, output: 53e6 }, PRICE, 2) + 519.5).toBeGreaterThan(1340);
});

test("groups drawn: the environments of a run that takes another one each time", () => {
  expect(Math.round(groupsOf({ steps: 200, batch: 8, dead: 0.325 }))).toBe(2370);
});
