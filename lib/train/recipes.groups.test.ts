import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SUBMIT } from "@/lib/environment/suite/family";
import { openModels } from "@/lib/model/chat/open";
import { addPrice } from "@/lib/model/chat/price";
import { noSleep, type OpenAiBody, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import type { ScriptedServer } from "@/lib/model/chat/testing/server";
import {
  CRASH,
  FAILS,
  makeHome,
  pivotAt,
  prefixAt,
  type Reply,
  type Row,
  SOLVE,
  type StepCame,
  stepOf,
  TEXTS,
  taskAt,
  type World,
} from "./groups.fixture";

/*
 * Every number of these tables was worked out by hand from the recipes (recipe 1, 4, 5). Tokens are sampled at 0.5; before
 * the update the first token of each rollout stands at 0.65, so with a positive advantage it is outside of the trust region
 * of 0.1 and one token fewer is kept. Weight: 1 / all trained tokens of the step. Seconds: 2 for the failing command, 4 for
 * the tests, 1 for any other command.
 */

let db: Db;
let removeHome: () => void;
let server: ScriptedServer<OpenAiBody> | undefined;
const clock = { ms: 0 };
beforeEach(() => {
  removeHome = makeHome();
  db = openMemoryDb();
  clock.ms = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  server = undefined;
  db.$client.close();
  removeHome();
});

const go = (world: Omit<World, "db" | "clock">) => stepOf({ db, clock, ...world });
const end = (tokens: number): Reply => [SUBMIT, tokens];
const MODEL = { use: "model", options: {} };

/** Models that say these things in turn, at 100 tokens in and 20 out for 2 and 10 USD a million: 0.0004 USD a call. */
async function serving(answers: string[]) {
  addPrice(db, { model: "test", currency: "USD", input: 2, output: 10, validFrom: 0 }, "test");
  const usage = { input: 100, cached: 0, output: 20, reasoning: 0 };
  const asked: string[] = [];
  server = await openAiServer({
    answer({ number, texts }) {
      asked.push(texts.join("\n"));
      return { text: answers[number] ?? "", usage };
    },
  });
  const models = openModels(db, { settings: settingsFor(server), sleep: noSleep });
  return { models: () => models, asked };
}

/** The ledger by role: calls, how many could not be read, tokens in and out, billionths of a USD. */
const ledger = () =>
  db.$client
    .prepare(
      `select role, count(*), sum(reading = 'unparsed'), sum(input_tokens), sum(output_tokens), sum(cost_nano)
       from usage group by role order by role`,
    )
    .raw()
    .all();

type Line = (number | null)[];
const COLUMNS = [
  "outcome",
  "behavior",
  "rating",
  "reward",
  "advantage",
  "tokens",
  "kept",
  "weight",
  "seconds",
] as const satisfies (keyof Row)[];
const table = (came: StepCame, start: number): Line[] | undefined =>
  came.groups.get(start)?.rows.map((row) => COLUMNS.map((column) => row[column]));
const deads = (came: StepCame) => [...came.groups].sort(([a], [b]) => a - b).map(([, { dead }]) => dead);
/** Rollouts, void ones, tokens of those that are not, sandboxes, sandbox seconds. */
const spent = (came: StepCame) => {
  const rows = [...came.groups.values()].flatMap((g) => g.rows);
  const sum = (of: (row: Row) => number | null) => rows.reduce((n, row) => n + (of(row) ?? 0), 0);
  return [came.metrics.rollouts, came.metrics.void, sum((r) => r.tokens), came.sandboxes, sum((r) => r.seconds)];
};

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

describe("pivotrl", () => {
  const GOLD = "pytest tests/test_invoices.py --maxfail=1";
  const one = (command: string | null, tokens: number): Reply[] => [[command, tokens]];
  const EIGHT = [
    one(GOLD, 6),
    one("pytest tests/test_invoices.py --maxfail=2", 6),
    one("pytest -v 'tests/test_invoices.py' --maxfail=1 2>&1 | tail -5", 9),
    one("pytest tests/test_receipts.py", 4),
    one("ls", 1),
    one(null, 5),
    one(SUBMIT, 3),
    one("cat README", 2),
  ];

  test("by rules: a text 40/41 alike passes before anybody is asked, another writing of the command after", async () => {
    const came = await go({
      recipe: "pivotrl",
      starts: [pivotAt(1, GOLD), pivotAt(2, GOLD)],
      script: { 1: EIGHT, 2: Array<Reply[]>(8).fill(one(GOLD, 1)) },
    });
    expect(table(came, 1)).toEqual([
      [null, null, null, 1, 0.625, 6, 5, 0.027777777778, 0],
      [null, null, null, 1, 0.625, 6, 5, 0.027777777778, 0],
      [null, null, null, 1, 0.625, 9, 8, 0.027777777778, 0],
      [null, null, null, 0, -0.375, 4, 4, 0.027777777778, 0],
      [null, null, null, 0, -0.375, 1, 1, 0.027777777778, 0],
      [null, null, null, 0, -0.375, 5, 5, 0.027777777778, 0],
      [null, null, null, 0, -0.375, 3, 3, 0.027777777778, 0],
      [null, null, null, 0, -0.375, 2, 2, 0.027777777778, 0],
    ]);
    expect(deads(came)).toEqual([null, "all-pass"]);
    expect(spent(came)).toEqual([16, 0, 44, 0, 0]);
    expect(ledger()).toEqual([]);
  });

  test("by a model: only four of eight actions are asked about", async () => {
    const { models, asked } = await serving(["Same. [[A=B]]", "[[A!=B]]", "It depends.", "It does.", "[[A!=B]]"]);
    const reward = { kind: "equivalence", judge: MODEL } as const;
    const came = await go({
      recipe: "pivotrl",
      over: { reward },
      starts: [pivotAt(1, GOLD)],
      script: { 1: EIGHT },
      models,
    });
    expect(came.groups.get(1)?.rows.map((r) => [r.reward, r.advantage, r.weight])).toEqual([
      [1, 0.571428571429, 0.028571428571],
      [1, 0.571428571429, 0.028571428571],
      [1, 0.571428571429, 0.028571428571],
      [0, -0.428571428571, 0.028571428571],
      [null, null, null],
      [0, -0.428571428571, 0.028571428571],
      [0, -0.428571428571, 0.028571428571],
      [0, -0.428571428571, 0.028571428571],
    ]);
    expect(came.metrics).toMatchObject({ unjudged: 1, trainedTokens: 35 });
    expect(ledger()).toEqual([["equivalence-judge", 5, 2, 500, 100, 2_000_000]]);
    // The accepted action is A, the policy's is B.
    expect(asked[0]).toMatch(/A \(gold\): .*maxfail=1"\}\nB \(candidate\): .*tail -5/);
  });
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
