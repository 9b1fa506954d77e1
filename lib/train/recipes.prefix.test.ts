import { describe, expect, test } from "vitest";
import type { Reply } from "./groups.fixture";
import { deads, end, MODEL, recipeTests, spent, table } from "./recipes.fixture";
import { FAILS, prefixAt, SOLVE } from "./world.fixture";

const { go, serving, ledger } = recipeTests();

const FOUR: Reply[][] = [
  [[SOLVE, 3], end(2)],
  [[FAILS, 4], [SOLVE, 3], end(2)],
  [["ls", 2], end(2)],
  [[FAILS, 1], end(1)],
];
const LUCKY: Reply[] = [[FAILS, 1], [SOLVE, 1], end(1)];

describe("mirl", () => {
  test("by rules: a lucky pass is worth nothing, and a group of them is vetoed", async () => {
    const came = await go({
      recipe: "mirl",
      over: { group: 4 },
      starts: [prefixAt(1), prefixAt(2)],
      script: { 1: FOUR, 2: [LUCKY, LUCKY, LUCKY, LUCKY] },
    });
    expect(table(came, 1)).toEqual([
      [1, 1, null, 1, 0.75, 5, 4, 0.05, 8],
      [1, 0, null, 0, -0.25, 9, 9, 0.05, 10],
      [0, 1, null, 0, -0.25, 4, 4, 0.05, 8],
      [0, 0, null, 0, -0.25, 2, 2, 0.05, 9],
    ]);
    expect(deads(came)).toEqual([null, "vetoed"]);
    expect(came.metrics).toMatchObject({
      both: 1,
      luckyPass: 5,
      cleanFail: 1,
      neither: 1,
      reward: 0.125,
      outcomeReward: 0.75,
      behaviorReward: 0.25,
      trainedTokens: 20,
      keptShare: 0.95,
      unjudged: 0,
    });
    expect(spent(came)).toEqual([8, 0, 32, 8, 75]);
    expect(ledger()).toEqual([]);
  });

  test("by a model: what cannot be read twice leaves its rollout out, and is paid for", async () => {
    const script = { 1: [FOUR[0], FOUR[1], FOUR[0], FOUR[2]] as Reply[][] };
    const { models, asked } = await serving([
      "<answer>no</answer>",
      "<answer>yes</answer>",
      "Hard to say.",
      "Still.",
      "<answer>no</answer>",
    ]);
    const reward = { kind: "outcome-and-behavior", judge: MODEL } as const;
    const came = await go({ recipe: "mirl", over: { group: 4, reward }, starts: [prefixAt(1)], script, models });
    expect(table(came, 1)).toEqual([
      [1, 1, null, 1, 0.666666666667, 5, 4, 0.055555555556, 8],
      [1, 0, null, 0, -0.333333333333, 9, 9, 0.055555555556, 10],
      [1, null, null, null, null, 5, null, null, 8],
      [0, 1, null, 0, -0.333333333333, 4, 4, 0.055555555556, 8],
    ]);
    expect(came.metrics).toMatchObject({ unjudged: 1, trainedTokens: 18, both: 1, luckyPass: 1, cleanFail: 1 });
    expect(ledger()).toEqual([["behavior-judge", 5, 2, 500, 100, 2_000_000]]);
    expect(asked[0]).toContain(SOLVE);
  });

  test("without asking where the outcome is 0: a call and its statistic fewer, the same rewards", async () => {
    const { models } = await serving(["<answer>no</answer>", "<answer>yes</answer>"]);
    const reward = { kind: "outcome-and-behavior", judge: MODEL, skipJudgeWhenFailed: true } as const;
    const came = await go({
      recipe: "mirl",
      over: { group: 4, reward },
      starts: [prefixAt(1)],
      script: { 1: FOUR },
      models,
    });
    expect(came.groups.get(1)?.rows.map(({ behavior, reward: r }) => [behavior, r])).toEqual([
      [1, 1],
      [0, 0],
      [null, 0],
      [null, 0],
    ]);
    expect(ledger()).toEqual([["behavior-judge", 2, 0, 200, 40, 800_000]]);
    expect(came.metrics).toMatchObject({ unjudged: 0, cleanFail: 0, neither: 0 });
  });
});

test("outcome-prefix: the same rollouts, and the lucky pass is paid", async () => {
  const came = await go({
    recipe: "outcome-prefix",
    over: { group: 4 },
    starts: [prefixAt(1), prefixAt(2)],
    script: { 1: FOUR, 2: [LUCKY, LUCKY, LUCKY, LUCKY] },
  });
  expect(table(came, 1)).toEqual([
    [1, null, null, 1, 0.5, 5, 4, 0.05, 8],
    [1, null, null, 1, 0.5, 9, 8, 0.05, 10],
    [0, null, null, 0, -0.5, 4, 4, 0.05, 8],
    [0, null, null, 0, -0.5, 2, 2, 0.05, 9],
  ]);
  expect(deads(came)).toEqual([null, "all-pass"]);
  expect(spent(came)).toEqual([8, 0, 32, 8, 75]);
  expect(ledger()).toEqual([]);
});
