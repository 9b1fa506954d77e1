import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RoleFailure } from "@/lib/model/role/types";
import { recordedStep } from "@/lib/prefix/testing";
import type { Rollout } from "@/lib/profile/rollout";
import { rulesBehaviorJudge as rulesJudge } from "@/lib/reward/behaviorJudge/rules";
import type { BehaviorJudge, JudgedMode } from "@/lib/reward/types";
import { emptyStep, emptyTrajectory } from "@/lib/trajectory/build";
import { startsFrom } from "./order";
import { actionReward } from "./pivot";
import { conjunction, readBehavior, rubricReward, windowOf } from "./reward";
import { piecesOf } from "./rows";

describe("tokens of a rollout", () => {
  const turn = (prompt: number[], ids: number[]) => ({ prompt, ids, logprobs: ids.map((id) => -id / 10) });

  it("join into one row while each context goes on where the last ended; only sampled ones are trained on", () => {
    expect(piecesOf([turn([1, 2], [3, 4]), turn([1, 2, 3, 4, 9, 9], [5])])).toEqual([
      {
        ids: [1, 2, 3, 4, 9, 9, 5],
        mask: [0, 0, 1, 1, 0, 0, 1],
        sampled: [0, 0, -0.3, -0.4, 0, 0, -0.5],
      },
    ]);
  });

  it("are trained on in the context they were sampled in when a reply reads back as other tokens", () => {
    const pieces = piecesOf([turn([1, 2], [3, 4]), turn([1, 2, 7, 9], [5])]);
    expect(pieces.map((p) => p.ids)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 7, 9, 5],
    ]);
    expect(pieces[1]?.mask).toEqual([0, 0, 0, 0, 1]);
  });

  it("are each in exactly one row, with their own log-probability", () => {
    const tokens = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ shown: tokens, ids: tokens, breaks: fc.boolean() }), { minLength: 1 }),
        (parts) => {
          let context: number[] = [];
          const turns = parts.map(({ shown, ids, breaks }) => {
            const prompt = [...(breaks ? context.map((id) => 6 - id) : context), ...shown];
            context = [...prompt, ...ids];
            return turn(prompt, ids);
          });
          const pieces = piecesOf(turns);
          const trained = pieces.flatMap((p) => p.ids.filter((_, i) => p.mask[i] === 1));
          expect(trained).toEqual(turns.flatMap((t) => t.ids));
          for (const p of pieces)
            for (const [i, id] of p.ids.entries()) expect(p.sampled[i]).toBe(p.mask[i] === 1 ? -id / 10 : 0);
        },
      ),
    );
  });
});

describe("the order of starts", () => {
  it("has every start once before any comes again, whatever the steps take", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (n, takes) => {
          const starts = Array.from({ length: n }, (_, i) => i);
          let cursor = 0;
          const drawn: number[] = [];
          for (const take of takes) {
            drawn.push(...startsFrom(starts, 3, cursor, take));
            cursor += take;
          }
          for (let from = 0; from + n <= drawn.length; from += n)
            expect([...drawn.slice(from, from + n)].sort((a, b) => a - b)).toEqual(starts);
          expect(drawn).toEqual(startsFrom(starts, 3, 0, cursor));
        },
      ),
    );
  });

  it("is another for another seed", () => {
    const starts = Array.from({ length: 20 }, (_, i) => i);
    expect(startsFrom(starts, 1, 0, 20)).not.toEqual(startsFrom(starts, 2, 0, 20));
  });
});

describe("the reward", () => {
  const said = (answer: "yes" | "no" | "failed" | "unparsed" | "skipped") => ({ answer, reason: null });

  it.each([
    [1, "no", 1],
    [1, "yes", 0],
    [0, "no", 0],
    [0, "yes", 0],
    [0.5, "no", 0.5],
    [0, "skipped", 0],
    [1, "failed", null],
    [1, "unparsed", null],
    [0, "unparsed", null],
    [null, "no", null],
  ] as const)("of r_o %s and the answer %s is %s", (outcome, answer, reward) => {
    expect(conjunction(outcome, said(answer))).toBe(reward);
  });

  it("judges the first steps after the prefix, replies without a command among them, and what answered those", () => {
    const prefix = [emptyStep("system", null), emptyStep("user", null), recordedStep("ls", "a")];
    const own = [
      recordedStep("one"),
      recordedStep(null),
      { ...emptyStep("user", null), message: "no command" },
      recordedStep("two"),
      recordedStep("three"),
    ];
    const window = windowOf([...prefix, ...own], prefix.length, 3);
    expect(window).toEqual(own.slice(0, 4));
    expect(windowOf([...prefix, ...own], prefix.length, 9)).toEqual(own);
  });

  const environment = { id: 1, name: "e", family: null, seed: null, instruction: "Do it." };
  const mode: JudgedMode = {
    errorTypeId: 1,
    name: "n",
    definition: "d",
    excludes: [],
    examples: [],
    detectors: ["retry-same-cause"],
  };
  const rolloutOf = (steps: ReturnType<typeof recordedStep>[]) =>
    ({ trajectory: { ...emptyTrajectory("misstep"), steps } }) as unknown as Rollout;

  it("has no verdict where the judge gives none, and says which kind of none", async () => {
    const failing = (kind: "failed" | "unparsed"): BehaviorJudge => ({
      ...rulesJudge,
      judge: () => Promise.reject(new RoleFailure(kind, "no answer")),
    });
    for (const kind of ["failed", "unparsed"] as const)
      expect(await readBehavior(failing(kind), mode, environment, rolloutOf([recordedStep("ls")]), 0, 5)).toEqual({
        answer: kind,
        reason: "no answer",
      });
  });

  it("of the rules looks for the prefix's own misbehavior, over what the policy saw before", async () => {
    const failed = { ...recordedStep("make", "error: no rule", 2), copied: true };
    const again = rolloutOf([failed, recordedStep("make", "error: no rule", 2)]);
    const read = (judged: Rollout, m: JudgedMode) => readBehavior(rulesJudge, m, environment, judged, 1, 5);
    expect(await read(again, mode)).toMatchObject({ answer: "yes" });
    expect(await read(again, { ...mode, detectors: ["binary-as-text"] })).toMatchObject({ answer: "no" });
    expect(await read(rolloutOf([failed, recordedStep("cat Makefile", "all:")]), mode)).toMatchObject({ answer: "no" });
  });
});

describe("the reward of RaR+", () => {
  it.each([
    [1, 10, 0.8, 1],
    [0, 1, 0.8, 0],
    [1, 1, 0.5, 0.5],
    [0, 10, 0.5, 0.5],
    [0, 8, 0.8, 0.2 * (7 / 9)],
  ])("of r_o %d, rating %d and weight %d is %d", (outcome, rating, weight, reward) => {
    expect(rubricReward(outcome, rating, weight)).toBeCloseTo(reward, 12);
  });

  it("needs an outcome", () => {
    expect(rubricReward(null, 10, 0.5)).toBeNull();
  });
});

describe("the reward of an action", () => {
  const SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
  const asked: string[] = [];
  const reward = (gold: string, candidate: string | null, says: boolean | RoleFailure = false) => {
    asked.length = 0;
    return actionReward(gold, candidate, 0.95, async (c) => {
      asked.push(c);
      if (says instanceof RoleFailure) throw says;
      return says;
    });
  };

  it.each([
    ["no command", "ls", null, 0],
    ["the same text", "ls -la /app", "ls -la /app", 1],
    ["submitting too early", "ls", SUBMIT, 0],
    ["not submitting", SUBMIT, "ls", 0],
    ["submitting as well", SUBMIT, SUBMIT, 1],
  ] as const)("for %s is decided without a judge", async (_, gold, candidate, expected) => {
    expect(await reward(gold, candidate)).toBe(expected);
    expect(asked).toEqual([]);
  });

  it("is the judge's where the texts differ, and none where it gives no verdict", async () => {
    expect(await reward("ls /app", "find /app", true)).toBe(1);
    expect(await reward("ls /app", "find /app", false)).toBe(0);
    expect(asked).toEqual(["find /app"]);
    expect(await reward("ls /app", "find /app", new RoleFailure("unparsed", "?"))).toBeNull();
  });
});
