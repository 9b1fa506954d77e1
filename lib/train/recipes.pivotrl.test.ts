import { describe, expect, test } from "vitest";
import { SUBMIT } from "@/lib/environment/suite/family";
import type { Reply } from "./groups.fixture";
import { deads, MODEL, recipeTests, spent, table } from "./recipes.fixture";
import { pivotAt } from "./world.fixture";

const { go, serving, ledger } = recipeTests();

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
