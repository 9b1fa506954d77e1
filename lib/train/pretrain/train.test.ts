import { expect, it } from "vitest";
import { MARK } from "@/lib/model/policy/vocabulary";
import type { Demonstration } from "./demonstration";
import { pretrainSettings } from "./settings";
import { batchesOf, learningRateAt, rowOf, rowsOf } from "./train";
import { suiteVocabulary } from "./vocabulary";

const vocabulary = suiteVocabulary();
const settings = pretrainSettings.parse({ demonstrations: 10, batch: 4, steps: 9, warmup: 2 });

const demonstration = (turns: Demonstration["turns"], submitted: boolean): Demonstration => ({
  family: "count",
  seed: 1,
  hazard: null,
  instruction: "Count the lines of amber.log.",
  turns,
  reward: 1,
  submitted,
});
const look = { thought: "look", command: "cat amber.log", output: "error river\n", ok: true, slug: null };
const submit = { thought: "submit", command: "echo done", output: "done\n", ok: true, slug: null };

it("learns the policy's own words and nothing that it was told", () => {
  const { ids, mask } = rowOf(vocabulary, demonstration([look, submit], true), 384);
  const learned = ids.filter((_, i) => mask[i] === 1);
  expect(vocabulary.decode(learned)).toBe("lookcat amber.logsubmitecho done");
  expect(learned.filter((id) => id === MARK.end)).toHaveLength(2);
  expect(ids.at(-1)).toBe(MARK.end);
});

it("a demonstration that did not submit ends with what it was shown", () => {
  const { ids, mask } = rowOf(vocabulary, demonstration([look], false), 384);
  expect(ids.at(-1)).toBe(MARK.think);
  expect(mask.at(-1)).toBe(0);
});

it("cuts at the context", () => {
  const { ids, mask } = rowOf(vocabulary, demonstration(Array(60).fill(look), false), 100);
  expect([ids.length, mask.length]).toEqual([100, 100]);
});

it("gives every row once a pass, in an order of the seed", () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({ ids: [i], mask: [1] }));
  const batches = batchesOf(rows, settings);
  expect(batches).toHaveLength(9);
  for (let pass = 0; pass < 3; pass++) {
    const seen = batches.slice(pass * 3, pass * 3 + 3).flat();
    expect(seen.map(({ ids }) => ids[0]).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
  expect(batchesOf(rows, settings)).toEqual(batches);
  expect(batchesOf(rows, { ...settings, seed: 2 })).not.toEqual(batches);
});

it("warms up, then goes down to a twentieth", () => {
  expect(learningRateAt(1, 100, settings)).toBeCloseTo(settings.learningRate / 2, 5);
  expect(learningRateAt(2, 100, settings)).toBeCloseTo(settings.learningRate, 5);
  expect(learningRateAt(100, 100, settings)).toBeCloseTo(settings.learningRate / 20, 10);
});

it("shows a demonstration that failed as often as asked, and ends after the steps asked for", () => {
  const all = [demonstration([look, submit], true), { ...demonstration([submit], true), reward: 0 as const }];
  const rows = rowsOf(vocabulary, all, { ...settings, failures: 3 });
  expect(rows).toHaveLength(4);
  expect(new Set(rows.slice(1).map(({ ids }) => ids.length)).size).toBe(1);
  expect(batchesOf(rows, { ...settings, steps: 5 })).toHaveLength(5);
});
