import type { Array as JaxArray, JsTree } from "@jax-js/jax";
import { beforeAll, describe, expect, it } from "vitest";
import { type Backend, compile, ProgramInputError, type Tensor } from "./compile";
import type { Spec } from "./graph";
import { type Jax, loadJax, loadOnnxProto } from "./load";
import { sizeOf } from "./shape";
import { TranslationError, translate } from "./translate";

let jax: Jax;
beforeAll(async () => {
  jax = await loadJax();
});

/** jax-js's logarithm is an approximation. */
const LOG = 1e-5;

type Fn = (...args: JaxArray[]) => JsTree<JaxArray>;

const f = (...shape: number[]): Spec => ({ shape, dtype: "float32" });
const i = (...shape: number[]): Spec => ({ shape, dtype: "int32" });
const b = (...shape: number[]): Spec => ({ shape, dtype: "bool" });

/** Numbers of a formula: positive and negative, no two alike; integers stay below 5, truth values alternate unevenly. */
function filled(spec: Spec, salt: number): Tensor {
  const n = sizeOf(spec.shape);
  const at = (k: number) => Math.sin(k * 1.7 + salt) + 0.01 * Math.cos(k * 0.3);
  if (spec.dtype === "float32") return { ...spec, data: Float32Array.from({ length: n }, (_, k) => at(k)) };
  if (spec.dtype === "int32") return { ...spec, data: Int32Array.from({ length: n }, (_, k) => (k * 7 + salt) % 5) };
  return { ...spec, data: Uint8Array.from({ length: n }, (_, k) => (at(k) > 0 ? 1 : 0)) };
}

async function outputsOf(backend: Backend, fn: Fn, tensors: Tensor[], threads = 1): Promise<Tensor[]> {
  const example = tensors.map(({ shape, dtype }) => jax.numpy.zeros(shape, { dtype: dtype as never }));
  const program = await compile(fn, example, { backend, threads });
  const out = await program.run(tensors);
  await program.close();
  return out;
}

/** Runs on both backends; what they return must agree in shape, type and (to `within`) numbers. */
async function agree(fn: Fn, specs: Spec[], within = 1e-6): Promise<Tensor[]> {
  const tensors = specs.map(filled);
  const expected = await outputsOf("wasm", fn, tensors);
  const got = await outputsOf("onnxruntime", fn, tensors);
  expect(got.map(({ shape, dtype }) => ({ shape, dtype }))).toEqual(
    expected.map(({ shape, dtype }) => ({ shape, dtype })),
  );
  for (const [k, { data }] of expected.entries()) {
    expect(got[k]!.data.length).toBe(data.length);
    const off = Math.max(0, ...Array.from(data, (x, at) => Math.abs(x - got[k]!.data[at]!)));
    expect(off, `output ${k}`).toBeLessThanOrEqual(within);
  }
  return got;
}

describe("each primitive equals jax-js's own execution", () => {
  const cases: [string, () => Fn, Spec[], number?][] = [
    ["add", () => (x, y) => x.add(y), [f(3, 4), f(4)]],
    ["add of truth values", () => (x, y) => jax.numpy.logicalOr(x, y), [b(3, 4), b(4)]],
    ["add of integers", () => (x, y) => x.add(y), [i(3, 4), i(3, 1)]],
    ["mul by a scalar", () => (x) => x.mul(-2.5), [f(3, 4)]],
    ["mul of truth values", () => (x, y) => jax.numpy.logicalAnd(x, y), [b(3, 4), b(4)]],
    ["max", () => (x, y) => jax.numpy.maximum(x, y), [f(3, 4), f(3, 1)]],
    ["min", () => (x, y) => jax.numpy.minimum(x, y), [i(3, 4), i(3, 1)]],
    ["neg", () => (x) => x.neg(), [f(5)]],
    ["reciprocal", () => (x) => jax.numpy.reciprocal(x.add(3)), [f(5)]],
    ["sqrt", () => (x) => jax.numpy.sqrt(x.add(3)), [f(5)]],
    ["exp", () => (x) => jax.numpy.exp(x), [f(5)]],
    ["log", () => (x) => jax.numpy.log(x.add(3)), [f(5)], LOG],
    ["where", () => (c, x, y) => jax.numpy.where(c, x, y), [b(3, 1), f(3, 4), f(4)]],
    ["where with numbers", () => (c) => jax.numpy.where(c, 1, 0), [b(3, 4)]],
    ["compare, less", () => (x, y) => x.less(y), [f(3, 4), f(4)]],
    ["compare, less or equal", () => (x, y) => x.lessEqual(y), [i(3, 4), i(4)]],
    ["compare, greater", () => (x, y) => x.greater(y), [i(3, 4), i(4)]],
    ["compare, equal", () => (x, y) => x.equal(y), [i(3, 4), i(4)]],
    ["compare, not equal", () => (x, y) => x.notEqual(y), [i(3, 4), i(4)]],
    ["cast", () => (x) => x.astype(jax.numpy.float32), [b(3, 4)]],
    ["cast to integers", () => (x) => x.astype(jax.numpy.int32), [f(3, 4)]],
    ["stop_gradient", () => (x) => jax.lax.stopGradient(x), [f(3)]],
    ["broadcast", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]), [f(3, 1)]],
    ["reshape", () => (x) => x.reshape([6, 2]), [f(3, 4)]],
    ["transpose", () => (x) => x.transpose([2, 0, 1]), [f(2, 3, 4)]],
    ["shrink", () => (x) => x.slice([1, 3], [0, 2]), [f(3, 4)]],
    ["shrink to one", () => (x) => x.slice(1), [f(3, 4)]],
    [
      "pad",
      () => (x) =>
        jax.numpy.pad(x, [
          [1, 2],
          [0, 3],
        ]),
      [f(3, 4)],
    ],
    ["reduce by sum", () => (x) => x.sum([0, 2]), [f(2, 3, 4)]],
    ["reduce by maximum", () => (x) => jax.numpy.max(x, -1, { keepdims: true }), [f(2, 3)]],
    ["reduce by minimum", () => (x) => jax.numpy.min(x, 0), [f(2, 3)]],
    ["reduce by product", () => (x) => jax.numpy.prod(x, 0), [f(2, 3)]],
    ["gather", () => (x, ids) => jax.numpy.take(x, ids, 0), [f(5, 3), i(2, 4)]],
    ["gather along the last axis", () => (x, ids) => jax.numpy.take(x, ids, 1), [f(3, 5), i(4)]],
    ["one-hot", () => (ids) => jax.nn.oneHot(ids, 5), [i(2, 4)]],
    ["jit", () => (x, y) => jax.jit((p: JaxArray, q: JaxArray) => p.mul(q))(x, y) as JaxArray, [f(3), f(3)]],
    ["a constant closed over", () => (x) => x.add(jax.numpy.array([1, 2, 3])), [f(2, 3)]],
    ["log-softmax", () => (x) => jax.nn.logSoftmax(x, -1), [f(3, 7)], LOG],
  ];
  it.each(cases)("%s", async (_, fn, specs, within) => {
    await agree(fn(), specs, within);
  });
});

/** Gradients of a loss by both operands. */
function grads(loss: (x: JaxArray, y: JaxArray) => JaxArray, x: JaxArray, y: JaxArray): [JaxArray, JaxArray] {
  const byX = jax.grad((p: JaxArray, q: JaxArray) => loss(p, q));
  const byY = jax.grad((q: JaxArray, p: JaxArray) => loss(p, q));
  return [byX(x.ref, y.ref), byY(y, x)];
}

describe("dot", () => {
  const cases: [string, (x: JaxArray, y: JaxArray) => JaxArray, Spec[]][] = [
    ["matrices", (x, y) => jax.numpy.matmul(x, y), [f(3, 4), f(4, 5)]],
    ["a batch and a matrix", (x, y) => jax.numpy.matmul(x, y), [f(2, 3, 4), f(4, 5)]],
    ["two batches", (x, y) => jax.numpy.matmul(x, y), [f(2, 6, 3, 4), f(2, 6, 4, 5)]],
    ["a batch of one", (x, y) => jax.numpy.matmul(x, y), [f(1, 3, 4), f(2, 4, 5)]],
    ["vectors", (x, y) => jax.numpy.dot(x, y), [f(4), f(4)]],
    ["a row of one", (x, y) => jax.numpy.matmul(x, y), [f(1, 4), f(4, 5)]],
    ["an inner extent of one", (x, y) => jax.numpy.matmul(x, y), [f(3, 1), f(1, 5)]],
    ["a transposed operand", (x, y) => jax.numpy.matmul(x, y.transpose([0, 1, 3, 2])), [f(2, 6, 3, 4), f(2, 6, 5, 4)]],
    [
      "heads split and merged",
      (x, y) => {
        const heads = x.reshape([2, 5, 3, 4]).transpose([0, 2, 1, 3]);
        const product = jax.numpy.matmul(heads, y).transpose([0, 2, 1, 3]);
        return product.reshape([2, 5, 12]);
      },
      [f(2, 5, 12), f(2, 3, 4, 4)],
    ],
    [
      "a transpose merged where the axes are not neighbours",
      (x, y) => jax.numpy.matmul(x.transpose([1, 0, 2]).reshape([3, 8]), y),
      [f(2, 3, 4), f(8, 5)],
    ],
    ["a broadcast inner axis", (x, y) => jax.numpy.matmul(jax.numpy.broadcastTo(x, [3, 4]), y), [f(3, 1), f(4, 5)]],
  ];
  it.each(cases)("%s, and its gradients", async (_, fn, specs) => {
    await agree((x, y) => fn(x, y), specs);
    const loss = (x: JaxArray, y: JaxArray) => jax.numpy.square(fn(x, y)).sum();
    await agree((x, y) => [...grads(loss, x, y)], specs, 2e-5);
  });

  it("leaves the broadcasts of a gradient unwritten", async () => {
    const loss = (x: JaxArray, y: JaxArray) => jax.numpy.square(jax.numpy.matmul(x, y)).sum();
    const { jaxpr } = jax.makeJaxpr((x: JaxArray, y: JaxArray) => [...grads(loss, x, y)])(
      jax.numpy.zeros([2, 16, 8]),
      jax.numpy.zeros([8, 32]),
    );
    expect(jaxpr.toString()).toContain("broadcast");
    const onnx = await loadOnnxProto();
    const types = onnx.ModelProto.decode(translate(onnx, jaxpr).bytes).graph?.node?.map((node) => node.opType);
    expect(types).toContain("MatMul");
    expect(types).not.toContain("Expand");
  });
});

describe("lazy broadcasts", () => {
  const cases: [string, () => Fn, Spec[]][] = [
    ["returned", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]), [f(1, 4)]],
    ["summed over", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]).sum([0, 2]), [f(3, 1)]],
    ["transposed", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]).transpose([2, 0, 1]), [f(3, 1)]],
    ["with a real axis merged", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]).reshape([6, 4]), [f(3, 4)]],
    ["merged among themselves", () => (x) => jax.numpy.broadcastTo(x, [2, 3, 4]).reshape([6, 4]), [f(4)]],
    ["split", () => (x) => jax.numpy.broadcastTo(x, [6, 4]).reshape([2, 3, 2, 2]), [f(1, 4)]],
    ["cut", () => (x) => jax.numpy.broadcastTo(x, [4, 3]).slice([1, 3]), [f(3)]],
    [
      "padded",
      () => (x) =>
        jax.numpy.pad(jax.numpy.broadcastTo(x, [2, 3]), [
          [1, 0],
          [0, 1],
        ]),
      [f(3)],
    ],
    ["cast", () => (x) => jax.numpy.broadcastTo(x, [2, 3]).astype(jax.numpy.float32), [b(1, 3)]],
    [
      "met by another",
      () => (x, y) => jax.numpy.broadcastTo(x, [3, 4]).mul(jax.numpy.broadcastTo(y, [3, 4])),
      [f(3, 1), f(4)],
    ],
    ["picked from", () => (x, ids) => jax.numpy.take(jax.numpy.broadcastTo(x, [5, 3]), ids, 0), [f(3), i(4)]],
    [
      "multiplied on both sides",
      () => (x, y) => jax.numpy.matmul(jax.numpy.broadcastTo(x, [2, 3, 4]), jax.numpy.broadcastTo(y, [2, 4, 5])),
      [f(3, 4), f(4, 5)],
    ],
    ["as all of an operand", () => (x, y) => jax.numpy.matmul(jax.numpy.broadcastTo(x, [3, 4]), y), [f(), f(4, 5)]],
  ];
  it.each(cases)("%s", async (_, fn, specs) => {
    await agree(fn(), specs);
  });
});

it("sums the rows of repeated ids, the same bits over runs on two threads", async () => {
  const [vocab, dim, batch, time] = [512, 128, 16, 128];
  const table = filled(f(vocab, dim), 1);
  const ids: Tensor = { ...i(batch, time), data: Int32Array.from({ length: batch * time }, (_, k) => (k * k) % 3) };
  const weight = filled(f(batch, time, dim), 2);
  const gradient: Fn = (t, k, w) =>
    jax.grad((p: JaxArray, q: JaxArray, r: JaxArray) => jax.numpy.take(p, q, 0).mul(r).sum())(t, k, w);
  const [expected] = await outputsOf("wasm", gradient, [table, ids, weight]);
  const example = [table, ids, weight].map(({ shape, dtype }) => jax.numpy.zeros(shape, { dtype: dtype as never }));
  const program = await compile(gradient, example, { backend: "onnxruntime", threads: 2 });
  const [first] = await program.run([table, ids, weight]);
  let scale = 0;
  let off = 0;
  for (const [k, x] of expected!.data.entries()) {
    scale = Math.max(scale, Math.abs(x));
    off = Math.max(off, Math.abs(x - first!.data[k]!));
  }
  expect(scale).toBeGreaterThan(1);
  expect(off / scale).toBeLessThan(1e-5);
  for (let run = 0; run < 20; run++) {
    const [again] = await program.run([table, ids, weight]);
    expect(Buffer.from(again!.data.buffer).equals(Buffer.from(first!.data.buffer))).toBe(true);
  }
  await program.close();
});

it("scatters a broadcast, which jax-js itself does not compile", async () => {
  const count: Fn = (x, ids) => jax.grad((p: JaxArray, k: JaxArray) => jax.numpy.take(p, k, 0).sum())(x, ids);
  const ids: Tensor = { ...i(4), data: Int32Array.of(2, 0, 2, 2) };
  const [out] = await outputsOf("onnxruntime", count, [filled(f(4, 2), 1), ids]);
  expect(Array.from(out!.data)).toEqual([1, 1, 0, 0, 3, 3, 0, 0]);
});

describe("refuses", () => {
  it("a primitive without translation, by name", async () => {
    const error = await outputsOf("onnxruntime", (x) => jax.numpy.sin(x), [filled(f(3), 1)]).catch((e) => e);
    expect(error).toBeInstanceOf(TranslationError);
    expect(error.primitive).toBe("sin");
    expect(error.message).toContain("float32[3]");
  });
  it("a form of a primitive it does not know, with its operands", async () => {
    const fn: Fn = (x) => jax.numpy.take(x, jax.numpy.array([0, 1], { dtype: jax.numpy.int32 }), 0).less(true);
    const error = await outputsOf("onnxruntime", (x) => fn(x.less(0)), [filled(f(3, 4), 1)]).catch((e) => e);
    expect(error).toBeInstanceOf(TranslationError);
    expect(error.primitive).toBe("compare");
    expect(error.message).toContain("bool[2,4]");
  });
  it.each<Backend>(["onnxruntime", "wasm"])("inputs of another shape or type (%s)", async (backend) => {
    const program = await compile((x: JaxArray) => x.mul(2), [jax.numpy.zeros([2, 3])], { backend, threads: 1 });
    const wrong: Tensor[][] = [
      [],
      [filled(f(3, 2), 1)],
      [filled(i(2, 3), 1)],
      [{ ...f(2, 3), data: new Float32Array(5) }],
    ];
    for (const tensors of wrong) await expect(program.run(tensors)).rejects.toBeInstanceOf(ProgramInputError);
    await program.close();
  });
});
