import { describe, expect, test } from "vitest";
import type { Reply, World } from "./groups.fixture";
import { deads, end, MODEL, recipeTests, spent, table } from "./recipes.fixture";
import { CRASH, SOLVE, TEXTS, taskAt } from "./world.fixture";

const { go, serving, ledger } = recipeTests();

test("outcome-env: at the task nothing is replayed; sandboxes that die are void, and one reward left is no group", async () => {
  const dies: Reply[] = [
    ["ls", 2],
    [CRASH, 2],
  ];
  const came = await go({
    recipe: "outcome-env",
    over: { group: 4 },
    starts: [taskAt(1), taskAt(2)],
    script: {
      1: [[[SOLVE, 3], end(2)], [["ls", 2], end(2)], [end(1)], dies],
      2: [dies, dies, dies, [[SOLVE, 1], end(1)]],
    },
  });
  expect(table(came, 1)).toEqual([
    [1, null, null, 1, 0.666666666667, 5, 4, 0.1, 6],
    [0, null, null, 0, -0.333333333333, 4, 4, 0.1, 6],
    [0, null, null, 0, -0.333333333333, 1, 1, 0.1, 5],
    [null, null, null, null, null, null, null, null, 1],
  ]);
  expect(deads(came)).toEqual([null, "infrastructure"]);
  expect(spent(came)).toEqual([8, 4, 12, 8, 27]);
  expect(ledger()).toEqual([]);
});

test("outcome-random: tests also run at the step limit; a reply without a command is a step, or the end", async () => {
  const wanders = Array<Reply>(12).fill(["ls", 1]);
  const script: World["script"] = {
    1: [[[SOLVE, 2], end(2)], wanders, [[null, 1], [SOLVE, 1], end(1)], [[SOLVE, 1], ...wanders]],
    2: [wanders, [end(1)], [end(1)], [end(1)]],
  };
  const world = { recipe: "outcome-random", starts: [taskAt(1), taskAt(2)], script };
  const came = await go({ ...world, over: { group: 4 } });
  expect(table(came, 1)).toEqual([
    [1, null, null, 1, 0.25, 4, 3, 0.037037037037, 6],
    [0, null, null, 0, -0.75, 10, 10, 0.037037037037, 14],
    [1, null, null, 1, 0.25, 3, 2, 0.037037037037, 6],
    [1, null, null, 1, 0.25, 10, 9, 0.037037037037, 14],
  ]);
  expect(deads(came)).toEqual([null, "all-fail"]);
  expect(spent(came)).toEqual([8, 0, 40, 8, 69]);
  const strict = await go({ ...world, over: { group: 4, testsAtLimit: false, formatErrors: "end" } });
  expect(table(strict, 1)).toEqual([
    [1, null, null, 1, 0.75, 4, 3, 0.04, 6],
    [0, null, null, 0, -0.25, 10, 10, 0.04, 14 - 4],
    [0, null, null, 0, -0.25, 1, 1, 0.04, 0],
    [0, null, null, 0, -0.25, 10, 10, 0.04, 14 - 4],
  ]);
});

describe("rar+", () => {
  const COUNT = { name: "tiny-count-0", family: "count", seed: 0 };
  const SOLVES = "grep -ci notice umber.log > delta.txt";
  const CHECKS = "cat delta.txt; grep -ci notice umber.log";

  test("by rules: 0.8 of the tests and 0.2 of the share of nine items", async () => {
    const idle = [end(1)];
    const came = await go({
      recipe: "rar+",
      over: { group: 4 },
      starts: [taskAt(1, COUNT), taskAt(2, COUNT)],
      script: {
        1: [
          [["cat umber.log", 2], [SOLVES, 4], [CHECKS, 3], end(1)],
          [[SOLVES, 4], end(1)],
          [end(1)],
          [["cat umber.log", 2], end(2)],
        ],
        2: [idle, idle, idle, idle],
      },
      solves: SOLVES,
    });
    expect(table(came, 1)).toEqual([
      [1, null, 10, 1, 0.45, 10, 9, 0.05, 8],
      [1, null, 7, 0.933333333333, 0.383333333333, 5, 4, 0.05, 6],
      [0, null, 6, 0.111111111111, -0.438888888889, 1, 1, 0.05, 5],
      [0, null, 8, 0.155555555556, -0.394444444444, 4, 4, 0.05, 6],
    ]);
    // Rewarded alike, if poorly: 1/9 each.
    expect(deads(came)).toEqual([null, "all-pass"]);
    expect(spent(came)).toEqual([8, 0, 24, 8, 45]);
    expect(ledger()).toEqual([]);
  });

  test("by models: one rubric an environment from task, solution and tests; a rating that is none leaves out", async () => {
    const category = { 5: "Essential", 4: "Important", 3: "Important", 2: "Optional", 1: "Optional", [-1]: "Pitfall" };
    const rubric = {
      tests_weight: 0.7,
      rubrics: ([5, 5, 4, 3, 2, 1, -1] as const).map((weight, i) => ({
        title: `Item ${i}`,
        description: `${category[weight]} Criteria: it is so.`,
        weight,
      })),
    };
    const ratings = ['{"rating": 10}', '{"rating": 11}', '{"rating": 7.5}', '{"rating": 4}', '{"rating": 1}'];
    const { models, asked } = await serving([JSON.stringify(rubric), ...ratings]);
    const reward = { kind: "rubric", writer: MODEL, judge: MODEL } as const;
    const came = await go({
      recipe: "rar+",
      over: { group: 4, reward },
      starts: [taskAt(1)],
      script: {
        1: [
          [[SOLVE, 2], end(1)],
          [[SOLVE, 2], end(1)],
          [["ls", 2], end(1)],
          [["ls", 3], end(1)],
        ],
      },
      models,
    });
    expect(table(came, 1)).toEqual([
      [1, null, 10, 1, 0.633333333333, 3, 2, 0.1, 6],
      [1, null, null, null, null, 3, null, null, 6],
      [0, null, 4, 0.1, -0.266666666667, 3, 3, 0.1, 6],
      [0, null, 1, 0, -0.366666666667, 4, 4, 0.1, 6],
    ]);
    expect(came.metrics).toMatchObject({ unjudged: 1, trainedTokens: 10 });
    expect(ledger()).toEqual([
      ["rubric-judge", 5, 2, 500, 100, 2_000_000],
      ["rubric-writer", 1, 0, 100, 20, 400_000],
    ]);
    expect(asked[0]).toContain(TEXTS.solution);
    expect(asked[0]).toContain(TEXTS.tests);
    // Who rates sees neither.
    expect(asked[1]).not.toContain(TEXTS.tests);
  });
});
