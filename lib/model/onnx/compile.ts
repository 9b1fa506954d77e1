import type { DType, Array as JaxArray, JsTree, JsTreeDef } from "@jax-js/jax";
import type { Dtype, Spec } from "./graph";
import { type Jax, loadJax, loadOnnxProto, loadOnnxRuntime, type Ort } from "./load";
import { sizeOf } from "./shape";
import { translate } from "./translate";

/** `onnxruntime` is native; `wasm` is jax-js's own execution: the fallback, and what the native one is tested against. */
export type Backend = "onnxruntime" | "wasm";

/** Elements of a tensor; truth values are bytes 0 and 1. */
export type TensorData = Float32Array | Int32Array | Uint8Array;

export interface Tensor extends Spec {
  data: TensorData;
}

/** A compiled function: static shapes, its arguments' leaves in, its result's leaves out. */
export interface Program {
  readonly backend: Backend;
  readonly inputs: readonly Spec[];
  readonly outputs: readonly Spec[];
  /** The leaves in order. Rejects with ProgramInputError when number, shape or element type differ. */
  run(inputs: readonly Tensor[]): Promise<Tensor[]>;
  close(): Promise<void>;
}

export interface CompileOptions {
  backend: Backend;
  /** Threads of one operation. The wasm backend has one, whatever this says. */
  threads: number;
}

/** Numbers of the wrong kind were given to a program. */
export class ProgramInputError extends Error {
  override name = "ProgramInputError";
}

/** The native backend where it loads; else wasm, with the reason for people. */
export async function usableBackend(): Promise<{ backend: Backend; reason: string | null }> {
  try {
    await loadOnnxRuntime();
    return { backend: "onnxruntime", reason: null };
  } catch (error) {
    return { backend: "wasm", reason: error instanceof Error ? error.message : String(error) };
  }
}

type Traced = (...args: never[]) => JsTree<JaxArray>;

/**
 * Traces `fn` once over arguments shaped like `example` and compiles it. The example's arrays are consumed; their
 * numbers do not matter. jax-js moves arrays: `fn` must use `.ref` for every use of an array but the last.
 */
export async function compile(
  fn: Traced,
  example: readonly JsTree<JaxArray>[],
  { backend, threads }: CompileOptions,
): Promise<Program> {
  const jax = await loadJax();
  return backend === "wasm" ? interpreted(jax, fn, example) : native(jax, fn, example, threads);
}

async function native(jax: Jax, fn: Traced, example: readonly JsTree<JaxArray>[], threads: number): Promise<Program> {
  const ort = await loadOnnxRuntime();
  const { jaxpr } = jax.makeJaxpr(fn as (...args: unknown[]) => JsTree<JaxArray>)(...example);
  for (const leaf of leavesOf(jax, example)) leaf.dispose();
  const { bytes, inputs, outputs } = translate(await loadOnnxProto(), jaxpr);
  jaxpr.dispose();
  const session = await ort.InferenceSession.create(bytes, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    // Waiting threads that spin would take the core of whoever else runs: sandboxes, and this process's own thread.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  // What no output depends on has been optimised away and must not be fed.
  const used = new Set(session.inputNames);
  return {
    backend: "onnxruntime",
    inputs,
    outputs,
    async run(tensors) {
      check(inputs, tensors);
      const feeds: Record<string, InstanceType<Ort["Tensor"]>> = {};
      for (const [i, { dtype, data, shape }] of tensors.entries()) {
        if (used.has(`in${i}`)) feeds[`in${i}`] = new ort.Tensor(dtype, data as Float32Array, shape);
      }
      const results = await session.run(feeds);
      return outputs.map((spec, i) => ({ ...spec, data: results[`out${i}`]?.data as TensorData }));
    },
    close: () => session.release(),
  };
}

function interpreted(jax: Jax, fn: Traced, example: readonly JsTree<JaxArray>[]): Program {
  const { tree } = jax;
  const [leaves, treedef] = tree.flatten<JaxArray>([...example]);
  const inputs = leaves.map((leaf) => ({ shape: [...leaf.shape], dtype: leaf.dtype as Dtype }));
  const shaped = jax.makeJaxpr(fn as (...args: unknown[]) => JsTree<JaxArray>)(...example);
  const outputs = shaped.jaxpr.jaxpr.outs.map(({ aval }) => ({ shape: [...aval.shape], dtype: aval.dtype as Dtype }));
  shaped.jaxpr.dispose();
  for (const leaf of leaves) leaf.dispose();
  const jitted = jax.jit((...flat: JaxArray[]) => tree.leaves<JaxArray>(callWith(tree, fn, treedef, flat)));
  return {
    backend: "wasm",
    inputs,
    outputs,
    async run(tensors) {
      check(inputs, tensors);
      const results = jitted(...tensors.map((tensor) => arrayOf(jax, tensor))) as JaxArray[];
      const read: Tensor[] = [];
      for (const [i, spec] of outputs.entries()) {
        const data = await results[i]?.data();
        read.push({ ...spec, data: (spec.dtype === "bool" ? Uint8Array.from(data ?? []) : data) as TensorData });
      }
      return read;
    },
    async close() {
      jitted.dispose();
    },
  };
}

function callWith(tree: Jax["tree"], fn: Traced, treedef: JsTreeDef, flat: JaxArray[]): JsTree<JaxArray> {
  const args = tree.unflatten(treedef, flat) as never[];
  return fn(...args);
}

const leavesOf = (jax: Jax, args: readonly JsTree<JaxArray>[]) => jax.tree.leaves<JaxArray>([...args]);

function arrayOf(jax: Jax, { data, shape, dtype }: Tensor): JaxArray {
  // jax-js wraps truth values from JavaScript ones only.
  if (data instanceof Uint8Array) return jax.numpy.array(Array.from(data, (x) => x !== 0)).reshape(shape);
  return jax.numpy.array(data, { dtype: dtype as DType }).reshape(shape);
}

const KINDS = { float32: Float32Array, int32: Int32Array, bool: Uint8Array } as const;

function check(specs: readonly Spec[], tensors: readonly Tensor[]): void {
  if (specs.length !== tensors.length)
    throw new ProgramInputError(`the program takes ${specs.length} tensors, not ${tensors.length}`);
  for (const [i, { shape, dtype }] of specs.entries()) {
    const tensor = tensors[i];
    if (tensor && tensor.dtype === dtype && tensor.shape.join() === shape.join()) {
      if (tensor.data instanceof KINDS[dtype] && tensor.data.length === sizeOf(shape)) continue;
    }
    const given = tensor && `${tensor.dtype}[${tensor.shape.join(", ")}] of ${tensor.data.length} elements`;
    throw new ProgramInputError(`input ${i} is ${dtype}[${shape.join(", ")}], not ${given}`);
  }
}
