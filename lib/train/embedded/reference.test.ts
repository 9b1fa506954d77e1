import { expect, it } from "vitest";
import { compile, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { sizeOf } from "@/lib/model/onnx/shape";
import { exampleParameters, parameterSpecs } from "@/lib/model/policy/parameters";
import type { Weight } from "@/lib/model/policy/types";
import { Batches } from "./batches";
import reference from "./fixtures/torch.json";
import { lossOf } from "./objective";
import { SUPERVISED, type SupervisedRow } from "./sft";
import { Trainer } from "./trainer";

// Parameters and rows by the formulas of scripts/bench/torch_reference.py, which made the fixture in double precision.
const { config, batch, time } = reference;
const chirp = (i: number, k: number) => Math.sin(1.3 * i + 0.011 * i * i + k);
const WEIGHTS = parameterSpecs(config).map(({ name, shape }, k): Weight => {
  const at = (i: number) => (shape.length === 1 ? 1 + 0.2 * chirp(i, k) : 0.3 * chirp(i, k));
  return { name, shape, data: Float32Array.from({ length: sizeOf(shape) }, (_, i) => at(i)) };
});
const ROWS = Array.from({ length: batch }, (_, b): SupervisedRow => {
  const places = Array.from({ length: time + 1 }, (_, t) => t);
  return {
    ids: places.map((t) => (b * 7 + t * t * 3 + t * b) % config.vocab),
    mask: places.map((t) => ((t + b) % 3 === 0 ? 0 : 1)),
  };
});
const OPTIONS = { batch, lengths: [time], threads: 1 };
const norm = (data: ArrayLike<number>) => Math.sqrt(Array.from(data).reduce((sum, x) => sum + x * x, 0));

it.each(["onnxruntime", "wasm"] as const)("loss and gradients are PyTorch's (%s)", async (backend) => {
  const jax = await loadJax();
  const gradient = jax.valueAndGrad(lossOf(jax, config, SUPERVISED));
  const shape = [batch, time];
  const integers = () => jax.numpy.zeros(shape, { dtype: jax.numpy.int32 });
  const program = await compile(
    gradient,
    [exampleParameters(jax, config), integers(), integers(), [jax.numpy.zeros(shape)]],
    { backend, threads: 1 },
  );
  const parameters = WEIGHTS.map((weight): Tensor => ({ dtype: "float32", ...weight }));
  const { tensors } = new Batches(config, SUPERVISED, batch, [time]).make(ROWS);
  const [loss, ...gradients] = await program.run([...parameters, ...tensors]);
  await program.close();
  expect(Math.abs(loss!.data[0]! - reference.loss)).toBeLessThan(1e-5);
  for (const [k, { name }] of WEIGHTS.entries()) {
    const expected = reference.gradients[name as keyof typeof reference.gradients];
    const got = gradients[k]!.data;
    expect(Math.abs(norm(got) / expected.norm - 1), name).toBeLessThan(1e-4);
    for (const [j, at] of expected.at.entries())
      expect(Math.abs(got[at]! - expected.values[j]!) / expected.norm, `${name} at ${at}`).toBeLessThan(1e-4);
  }
});

it.each(["onnxruntime", "wasm"] as const)("three clipped AdamW steps are PyTorch's (%s)", async (backend) => {
  const trainer = new Trainer(WEIGHTS, config, SUPERVISED, { ...OPTIONS, backend });
  for (const { learningRate, loss, gradNorm } of reference.steps) {
    const report = await trainer.train(ROWS, { learningRate });
    expect(Math.abs(report.loss / loss - 1)).toBeLessThan(1e-4);
    expect(Math.abs(report.gradNorm / gradNorm - 1)).toBeLessThan(1e-3);
    expect(report.tokens).toBe(24);
  }
  for (const { name, data } of trainer.weights()) {
    const expected = reference.after[name as keyof typeof reference.after];
    expect(Math.abs(norm(data) / expected.norm - 1), name).toBeLessThan(1e-4);
    expect(Math.abs(data[0]! - expected.first), name).toBeLessThan(1e-3);
  }
  await trainer.close();
});

it("gradients are finite differences of the loss", async () => {
  const jax = await loadJax();
  const shape = [batch, time];
  const integers = () => jax.numpy.zeros(shape, { dtype: jax.numpy.int32 });
  const example = () => [exampleParameters(jax, config), integers(), integers(), [jax.numpy.zeros(shape)]];
  const options = { backend: "onnxruntime", threads: 1 } as const;
  const loss = lossOf(jax, config, SUPERVISED);
  const [value, gradient] = [
    await compile(loss, example(), options),
    await compile(jax.valueAndGrad(loss), example(), options),
  ];
  const { tensors } = new Batches(config, SUPERVISED, batch, [time]).make(ROWS);
  const parameters = WEIGHTS.map(({ shape, data }): Tensor => ({ dtype: "float32", shape, data: data.slice() }));
  const lossNow = async () => (await value.run([...parameters, ...tensors]))[0]!.data[0]!;
  const [, ...gradients] = await gradient.run([...parameters, ...tensors]);
  const h = 4e-3;
  for (const [k, { name }] of WEIGHTS.entries()) {
    const { data } = parameters[k]!;
    const slope = gradients[k]!.data;
    const largest = [...data.keys()].sort((a, b) => Math.abs(slope[b]!) - Math.abs(slope[a]!)).slice(0, 3);
    for (const at of largest) {
      const x = data[at]!;
      data[at] = x + h;
      const above = await lossNow();
      data[at] = x - h;
      const below = await lossNow();
      data[at] = x;
      const difference = (above - below) / (2 * h);
      expect(Math.abs(difference / slope[at]! - 1), `${name} at ${at}`).toBeLessThan(0.03);
    }
  }
  await value.close();
  await gradient.close();
});
