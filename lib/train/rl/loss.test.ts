import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOf } from "@/lib/model/onnx/shape";
import { parameterSpecs } from "@/lib/model/policy/parameters";
import type { Weight } from "@/lib/model/policy/types";
import { AccumulatingTrainer } from "@/lib/train/embedded/accumulate";
import { dppoKeeps } from "./divergence";
import reference from "./fixtures/torch.json";
import { type PolicyLossSettings, policyLoss, type RolloutRow, scales } from "./loss";

// Parameters and tokens by the formulas of scripts/bench/torch_policy_loss.py, which made the fixture in double precision.
const { config, batch, time } = reference;
const chirp = (i: number, k: number) => Math.sin(1.3 * i + 0.011 * i * i + k);
const weightsOf = (): Weight[] =>
  parameterSpecs(config).map(({ name, shape }, k) => {
    const at = (i: number) => (shape.length === 1 ? 1 + 0.2 * chirp(i, k) : 0.3 * chirp(i, k));
    return { name, shape, data: Float32Array.from({ length: sizeOf(shape) }, (_, i) => at(i)) };
  });
const TRAINED = 24;
const ROWS = Array.from({ length: batch }, (_, b): RolloutRow => {
  const places = Array.from({ length: time + 1 }, (_, t) => t);
  return {
    ids: places.map((t) => (b * 7 + t * t * 3 + t * b) % config.vocab),
    mask: places.map((t) => ((t + b) % 3 === 0 ? 0 : 1)),
    sampled: [0, ...(reference.sampled[b] as number[])],
    advantage: reference.advantages[b] as number,
    scale: 1 / TRAINED,
  };
});
const trainerOf = (settings: PolicyLossSettings, rows: number, backend: "onnxruntime" | "wasm" = "onnxruntime") =>
  new AccumulatingTrainer(weightsOf(), config, policyLoss(settings), {
    backend,
    threads: 1,
    batch: rows,
    lengths: [time],
  });
const norm = (data: ArrayLike<number>) => Math.sqrt(Array.from(data).reduce((sum, x) => sum + x * x, 0));

describe.each(reference.losses)("$name", ({ settings, loss, kept, gradNorm, after }) => {
  it.each([
    ["onnxruntime", 3],
    ["onnxruntime", 1],
    ["wasm", 2],
  ] as const)("one update is PyTorch's (%s, %d rows at a time)", async (backend, rows) => {
    const trainer = trainerOf(settings as PolicyLossSettings, rows, backend);
    const report = await trainer.train(ROWS, { learningRate: reference.learningRate });
    expect(report.tokens).toBe(TRAINED);
    expect(Math.abs(report.loss - loss)).toBeLessThan(1e-5);
    expect(Math.abs(report.gradNorm / gradNorm - 1)).toBeLessThan(1e-4);
    for (const weight of trainer.state.weights()) {
      const expected = after[weight.name as keyof typeof after];
      expect(Math.abs(norm(weight.data) / expected.norm - 1), weight.name).toBeLessThan(1e-4);
      for (const [j, at] of expected.at.entries())
        expect(Math.abs((weight.data[at] as number) - (expected.values[j] as number)), weight.name).toBeLessThan(1e-4);
    }
    if (settings.kind === "dppo") {
      const { divergence, threshold } = settings as { divergence: "tv" | "kl"; threshold: number };
      const all = ROWS.flatMap((row, b) =>
        row.ids.flatMap((_, at) => {
          if (at === 0 || row.mask[at] !== 1) return [];
          const pi = Math.exp(report.logprobs[b]?.[at - 1] as number);
          return [
            dppoKeeps({ mu: Math.exp(row.sampled[at] as number), pi, advantage: row.advantage }, divergence, threshold),
          ];
        }),
      );
      expect(all.filter(Boolean).length).toBe(kept);
    }
    await trainer.close();
  });

  it("has the gradient that finite differences show", async () => {
    const trainer = trainerOf(settings as PolicyLossSettings, batch);
    const before = trainer.state.weights();
    const lossAt = async (weights: Weight[]) => {
      trainer.state.reset(weights);
      return (await trainer.train(ROWS, { learningRate: 0 })).loss;
    };
    const { gradients } = reference.losses.find(
      (one) => one.settings === settings,
    ) as (typeof reference.losses)[number];
    const STEP = 2e-3;
    for (const name of ["head", "blocks.1.up", "blocks.0.qkv"] as const) {
      const { at, values, norm: whole } = gradients[name];
      const shifted = (by: number) =>
        before.map((w) => (w.name === name ? { ...w, data: w.data.map((x, i) => (i === at[0] ? x + by : x)) } : w));
      const slope = ((await lossAt(shifted(STEP))) - (await lossAt(shifted(-STEP)))) / (2 * STEP);
      expect(Math.abs(slope - (values[0] as number)) / whole, name).toBeLessThan(0.02);
    }
    await trainer.close();
  });
});

it("leaves the weights where they are without advantage and at a learning rate of 0", async () => {
  const trainer = trainerOf({ kind: "dppo", divergence: "tv", threshold: 0.1 }, batch);
  const report = await trainer.train(ROWS, { learningRate: 0 });
  expect(report.gradNorm).toBeGreaterThan(0);
  expect(trainer.state.weights()).toEqual(weightsOf());
  const flat = await trainer.train(
    ROWS.map((row) => ({ ...row, advantage: 0 })),
    { learningRate: 0 },
  );
  expect(flat).toMatchObject({ loss: expect.closeTo(0), gradNorm: 0 });
  await trainer.close();
});

describe("denominators", () => {
  it("of hand-computed rollouts of 2, 6 and 0 tokens", () => {
    expect(scales([2, 6, 0], "token", 10)).toEqual([1 / 8, 1 / 8, 1 / 8]);
    expect(scales([2, 6, 0], "sequence", 10)).toEqual([1 / 6, 1 / 18, 0]);
    expect(scales([2, 6, 0], "constant", 10)).toEqual([1 / 30, 1 / 30, 1 / 30]);
  });

  it("weigh all tokens together to one, by token and by sequence", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 30 }), (tokens) => {
        for (const kind of ["token", "sequence"] as const) {
          const weights = scales(tokens, kind, 1);
          const sum = tokens.reduce((s, n, i) => s + n * (weights[i] as number), 0);
          expect(sum).toBeCloseTo(1, 9);
        }
      }),
    );
  });
});
