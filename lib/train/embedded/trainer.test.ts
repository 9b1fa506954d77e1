import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initWeights } from "@/lib/model/policy/parameters";
import type { PolicyConfig, Weight } from "@/lib/model/policy/types";
import { readWeights, WeightsFileError, writeWeights } from "@/lib/model/policy/weights";
import { SUPERVISED, type SupervisedRow } from "./sft";
import { Trainer, type TrainerOptions, TrainingDiverged } from "./trainer";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-trainer-"));
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const CONFIG: PolicyConfig = { vocab: 12, dim: 32, layers: 2, heads: 2, hidden: 64, context: 16 };
const OPTIONS: TrainerOptions = { backend: "onnxruntime", threads: 2, batch: 16, lengths: [13, 16] };
const HALF = 6;

let start: Weight[];
beforeAll(async () => {
  start = await initWeights(CONFIG, 3);
});

const trainerOf = (options: Partial<TrainerOptions> = {}) =>
  new Trainer(start, CONFIG, SUPERVISED, { ...OPTIONS, ...options });

/** Tokens, a separator, the same tokens: only the copy is learnt. */
function copyTask(step: number, n: number): SupervisedRow[] {
  let state = step * 7919 + 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * 11);
  };
  return Array.from({ length: n }, () => {
    const tokens = Array.from({ length: HALF }, next);
    return { ids: [...tokens, 0, ...tokens], mask: [...tokens.map(() => 0), 0, ...tokens.map(() => 1)] };
  });
}

it("learns to copy", async () => {
  const trainer = trainerOf();
  let last = Number.POSITIVE_INFINITY;
  for (let step = 1; step <= 400; step++) {
    const { loss, tokens } = await trainer.train(copyTask(step, 16), { learningRate: 3e-3 * Math.min(1, step / 20) });
    if (step === 1) expect(loss).toBeGreaterThan(2);
    expect(tokens).toBe(16 * HALF);
    last = loss;
  }
  await trainer.close();
  expect(last).toBeLessThan(0.05);
});

it("leaves weights as they are at a learning rate of 0", async () => {
  const trainer = trainerOf();
  const { loss } = await trainer.train(copyTask(1, 16), { learningRate: 0 });
  const again = await trainer.train(copyTask(1, 16), { learningRate: 0 });
  expect(again.loss).toBe(loss);
  expect(trainer.weights()).toEqual(start);
  expect(trainer.step).toBe(2);
  await trainer.close();
});

it("learns nothing from padding, nor from tokens outside the mask", async () => {
  const rows = copyTask(1, 5);
  const reports = [];
  for (const options of [
    { batch: 5, lengths: [12] },
    { batch: 16, lengths: [16] },
  ]) {
    const trainer = trainerOf(options);
    reports.push(await trainer.train(rows, { learningRate: 0.1 }));
    await trainer.close();
  }
  const [tight, padded] = reports;
  expect(padded!.tokens).toBe(tight!.tokens);
  expect(padded!.loss).toBeCloseTo(tight!.loss, 5);
  expect(padded!.gradNorm).toBeCloseTo(tight!.gradNorm, 4);
  const trainer = trainerOf();
  const unmasked = rows.map(({ ids }) => ({ ids, mask: ids.map(() => 0) }));
  expect(await trainer.train(unmasked, { learningRate: 0.1 })).toEqual({ loss: 0, tokens: 0, gradNorm: 0 });
  await trainer.close();
});

describe("a saved training", () => {
  const RATE = { learningRate: 3e-3 };
  it("goes on with the same bits", async () => {
    const file = path.join(dir, "saved.safetensors");
    const whole = trainerOf();
    for (let step = 1; step <= 4; step++) await whole.train(copyTask(step, 16), RATE);
    whole.save(file, { seed: "3" });
    const losses = [];
    for (let step = 5; step <= 9; step++) losses.push((await whole.train(copyTask(step, 16), RATE)).loss);
    const resumed = trainerOf();
    expect(await resumed.restore(file)).toMatchObject({ seed: "3", step: "4" });
    expect(resumed.step).toBe(4);
    const again = [];
    for (let step = 5; step <= 9; step++) again.push((await resumed.train(copyTask(step, 16), RATE)).loss);
    expect(again).toEqual(losses);
    expect(resumed.weights()).toEqual(whole.weights());
    await whole.close();
    await resumed.close();
  });

  it("is refused when it is of another config, has no moments, or lacks a tensor", async () => {
    const trainer = trainerOf();
    const file = path.join(dir, "other.safetensors");
    trainer.save(file);
    const other: PolicyConfig = { ...CONFIG, context: 15 };
    const small = new Trainer(await initWeights(other, 1), other, SUPERVISED, { ...OPTIONS, lengths: [15] });
    await expect(small.restore(file)).rejects.toThrow(/"context":16/);
    const plain = path.join(dir, "plain.safetensors");
    writeWeights(plain, start);
    await expect(trainer.restore(plain)).rejects.toBeInstanceOf(WeightsFileError);
    const { weights, metadata } = await readWeights(file);
    writeWeights(file, weights.slice(0, -1), metadata);
    await expect(trainer.restore(file)).rejects.toThrow(/no weight "head"/);
  });
});

it("begins anew from other weights after a reset", async () => {
  const [used, fresh] = [trainerOf(), trainerOf()];
  await used.train(copyTask(1, 16), { learningRate: 0.01 });
  used.reset(start);
  const expected = await fresh.train(copyTask(2, 16), { learningRate: 0.01 });
  expect(await used.train(copyTask(2, 16), { learningRate: 0.01 })).toEqual(expected);
  expect(used.weights()).toEqual(fresh.weights());
  await used.close();
  await fresh.close();
});

it("keeps its state when a step diverges", async () => {
  const broken = start.map((w) => (w.name === "head" ? { ...w, data: w.data.map(() => Number.NaN) } : w));
  const trainer = new Trainer(broken, CONFIG, SUPERVISED, OPTIONS);
  await expect(trainer.train(copyTask(1, 2), { learningRate: 0.1 })).rejects.toBeInstanceOf(TrainingDiverged);
  expect(trainer.step).toBe(0);
  expect(trainer.weights().find((w) => w.name === "norm")!.data).toEqual(start.find((w) => w.name === "norm")!.data);
  await trainer.close();
});

it("refuses rows that fit no program", async () => {
  const trainer = trainerOf();
  const row = (n: number, id = 1) => ({ ids: Array(n).fill(id), mask: Array(n).fill(1) });
  const wrong = [[], copyTask(1, 17), [row(1)], [row(18)], [row(3, 12)], [row(3, -1)]];
  for (const rows of wrong) await expect(trainer.train(rows, { learningRate: 0.1 })).rejects.toBeInstanceOf(RangeError);
  expect(() => trainerOf({ lengths: [17] })).toThrow(RangeError);
  await trainer.close();
});
