import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedStep } from "@/lib/prefix/testing";
import type { JudgedMode } from "@/lib/reward/types";
import { aucOf, crossValidate } from "./crossValidate";
import { featuresOf } from "./features";
import { learnedBehaviorJudge } from "./learned";
import { checkNewName, type LearnedContent, writeLearnedJudge } from "./learnedFile";
import { probability, trainLogistic } from "./logistic";

const before = process.env.MISSTEP_HOME;
let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-judge-"));
  process.env.MISSTEP_HOME = folder;
});
afterAll(() => {
  if (before === undefined) delete process.env.MISSTEP_HOME;
  else process.env.MISSTEP_HOME = before;
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Windows of five environments; the wrong ones print a binary. */
const examples = Array.from({ length: 40 }, (_, i) => {
  const yes = i % 3 === 0;
  const steps = [recordedStep(`ls dir${i % 7}`), recordedStep(yes ? `cat photo${i}.png` : `file photo${i}.png`)];
  return { features: featuresOf(steps, []), yes, environment: `e${i % 5}` };
});

test("it learns what tells the windows apart, to the same bits each time, and holds in unseen environments", () => {
  const model = trainLogistic(examples);
  expect(trainLogistic(examples)).toEqual(model);
  expect(examples.every((e) => probability(model, e.features) >= 0.5 === e.yes)).toBe(true);
  expect(crossValidate(examples)).toMatchObject({ windows: 40, falsePositives: 0, falseNegatives: 0, auc: 1 });
});

test("a command is told apart by what ran before the window, however alike its words are", () => {
  const retry = (again: boolean, i: number) => ({
    features: featuresOf(
      [recordedStep(`make part${i}`, "no rule", 2)],
      [recordedStep(again ? `make part${i}` : `ls part${i}`, again ? "no rule" : "", again ? 2 : 0)],
    ),
    yes: again,
    environment: `e${i % 5}`,
  });
  const all = Array.from({ length: 40 }, (_, i) => retry(i % 3 === 0, i));
  expect(crossValidate(all)).toMatchObject({ windows: 40, falsePositives: 0, falseNegatives: 0 });
  const blind = all.map((e, i) => ({ ...e, features: featuresOf([recordedStep(`make part${i}`, "no rule", 2)], []) }));
  expect(crossValidate(blind).auc).toBeLessThan(0.8);
});

test("answers that have nothing to do with the window are seen through: AUC near a half", () => {
  const noise = examples.map((e, i) => ({ ...e, yes: Math.floor((i * 7919) / 13) % 2 === 0 }));
  const { auc } = crossValidate(noise);
  expect(Math.abs((auc ?? 1) - 0.5)).toBeLessThan(0.3);
});

test("the optimum by hand: one feature in every yes and in no no, the penalized slope is zero", () => {
  const one = (at: number[], yes: boolean) => ({ features: { at, value: at.map(() => 1) }, yes });
  const { bias, weights } = trainLogistic([one([3], true), one([], false)]);
  const w = weights[0]?.[1] ?? 0;
  const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));
  expect((sigmoid(bias + w) - 1) / 2 + 0.001 * w).toBeCloseTo(0, 3);
  expect((sigmoid(bias + w) - 1 + sigmoid(bias)) / 2).toBeCloseTo(0, 3);
});

test("AUC by hand, ties half; null where a class is missing", () => {
  const pairs = [
    { p: 0.9, yes: true },
    { p: 0.4, yes: true },
    { p: 0.4, yes: false },
    { p: 0.1, yes: false },
  ];
  expect(aucOf(pairs)).toBe(3.5 / 4);
  expect(aucOf(pairs.filter((p) => p.yes))).toBeNull();
});

const stored = (name: string): LearnedContent => {
  const quality = crossValidate(examples);
  const mode = {
    misbehavior: "Prints a binary",
    yes: 14,
    no: 26,
    environments: 5,
    quality,
    ...trainLogistic(examples),
  };
  return {
    ...{ format: "misstep-judge", version: 2, name, window: 5, modes: [mode] },
    trainedOn: { measurement: 1, measurementName: "m", from: "people" },
    refused: [{ misbehavior: "Another", reason: "none of its 40 windows is called yes" }],
  };
};
const mode = (name: string): JudgedMode => ({
  ...{ errorTypeId: 1, name, definition: "", excludes: [], examples: [], detectors: [] },
});

test("kept with its hash: it judges what it learned, fails on what it did not, and is never overwritten", async () => {
  const { hash } = writeLearnedJudge(stored("photos"));
  const judge = learnedBehaviorJudge("photos");
  expect(judge).toMatchObject({ name: "learned:photos", version: hash.slice(0, 12) });
  const environment = { id: 1, name: "e", family: null, seed: null, instruction: "" };
  const window = (command: string) => ({
    environment,
    prefix: { environment, steps: [] },
    steps: [recordedStep("ls dir1"), recordedStep(command)],
  });
  expect((await judge.judge(window("cat photo77.png"), mode("Prints a binary"))).answer).toBe("yes");
  expect((await judge.judge(window("file photo77.png"), mode("Prints a binary"))).answer).toBe("no");
  await expect(judge.judge(window("true"), mode("Another"))).rejects.toThrow(/none of its 40 windows/);
  await expect(judge.judge(window("true"), mode("Never seen"))).rejects.toThrow(/not among its labels/);
  expect(() => checkNewName("photos")).toThrow(/already/);
  expect(() => checkNewName("../up")).toThrow(/is no name/);
});

test("a file that was changed is refused", () => {
  writeLearnedJudge(stored("changed"));
  const file = path.join(folder, "judges/changed.json");
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"yes":14', '"yes":15'));
  expect(() => learnedBehaviorJudge("changed")).toThrow(/changed after it was made/);
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"version":2', '"version":1'));
  expect(() => learnedBehaviorJudge("changed")).toThrow(/made by an older version.*train it again/);
  expect(() => learnedBehaviorJudge("nobody")).toThrow(/there is no learned judge "nobody"/);
});
