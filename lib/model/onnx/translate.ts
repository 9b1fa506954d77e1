/**
 * A traced jax-js program as an ONNX graph. jax-js traces and differentiates, onnxruntime has the native kernels.
 * The layout of equations (`inBinders`, `eqns`, `outs`, `params`) is exported by jax-js but no documented promise: its
 * version is pinned exactly, and the tests compare every primitive with jax-js's own execution.
 */
import type { ClosedJaxpr, Jaxpr } from "@jax-js/jax";
import { type Dtype, GraphBuilder, type Spec } from "./graph";
import type { OnnxProto } from "./load";
import { RULES } from "./ops";
import { materialise, type Value, whole } from "./value";

type Equation = Jaxpr["eqns"][number];
type Atom = Jaxpr["outs"][number];
type Variable = Jaxpr["inBinders"][number];

/** A program uses something that has no translation; names the primitive and its parameters. */
export class TranslationError extends Error {
  constructor(
    readonly primitive: string,
    detail: string,
  ) {
    super(
      `no ONNX translation of the jax-js primitive "${primitive}" (${detail}). Add a rule in lib/model/onnx/ops.ts, or run with the backend "wasm".`,
    );
    this.name = "TranslationError";
  }
}

/** Names of a translated graph's inputs and outputs are in0 …, out0 …, in the order of the program's. */
export interface Translated {
  bytes: Uint8Array;
  inputs: Spec[];
  outputs: Spec[];
}

const DTYPES: readonly string[] = ["float32", "int32", "bool"] satisfies Dtype[];

export function translate(onnx: OnnxProto, closed: ClosedJaxpr): Translated {
  const graph = new GraphBuilder(onnx);
  const { jaxpr, consts } = closed;
  const scope: Scope = new Map();
  const inputs: (Spec & { name: string })[] = [];
  for (const [i, binder] of jaxpr.inBinders.entries()) {
    const spec = specOf(binder);
    const constant = consts[i];
    const name = constant === undefined ? `in${inputs.length}` : constantOf(graph, constant, spec);
    if (constant === undefined) inputs.push({ ...spec, name });
    scope.set(binder, whole(name, spec.shape, spec.dtype));
  }
  walk(graph, jaxpr, scope);
  const outputs = jaxpr.outs.map((out, i) => {
    const { name: from, shape, dtype } = materialise(graph, valueFor(graph, out, scope));
    return { name: `out${i}`, from, shape: [...shape], dtype };
  });
  return { bytes: graph.encode(inputs, outputs), inputs, outputs };
}

type Scope = Map<Variable, Value>;

function walk(graph: GraphBuilder, jaxpr: Jaxpr, scope: Scope): void {
  for (const equation of jaxpr.eqns) {
    const inputs = equation.inputs.map((atom) => valueFor(graph, atom, scope));
    const outs = equation.primitive === "jit" ? inner(graph, equation, inputs) : [step(graph, equation, inputs)];
    for (const [i, binder] of equation.outBinders.entries()) {
      const out = outs[i];
      if (out === undefined) throw new TranslationError(equation.primitive, `${equation.outBinders.length} results`);
      scope.set(binder, out);
    }
  }
}

function inner(graph: GraphBuilder, equation: Equation, inputs: Value[]): Value[] {
  const jaxpr = equation.params.jaxpr as Jaxpr;
  const scope: Scope = new Map();
  for (const [i, binder] of jaxpr.inBinders.entries()) {
    const input = inputs[i];
    if (input === undefined) throw new TranslationError("jit", `${inputs.length} operands`);
    scope.set(binder, input);
  }
  walk(graph, jaxpr, scope);
  return jaxpr.outs.map((out) => valueFor(graph, out, scope));
}

function step(graph: GraphBuilder, equation: Equation, inputs: Value[]): Value {
  const { primitive, params, outBinders } = equation;
  const binder = outBinders[0];
  if (binder === undefined) throw new TranslationError(primitive, "no result");
  const { shape, dtype } = specOf(binder, primitive);
  const value = RULES[primitive]?.({ graph, inputs, params, shape, dtype });
  if (!value) {
    const operands = inputs.map((input) => `${input.dtype}[${input.shape.join(",")}]`).join(", ");
    throw new TranslationError(primitive, `operands ${operands}, parameters ${describe(params)}`);
  }
  return value;
}

function valueFor(graph: GraphBuilder, atom: Atom, scope: Scope): Value {
  if ("value" in atom) {
    const { dtype } = specOf(atom);
    return whole(graph.scalar(Number(atom.value), dtype), [], dtype);
  }
  const value = scope.get(atom);
  if (value === undefined) throw new TranslationError("variable", `${atom} is used before it is bound`);
  return value;
}

function specOf(atom: Atom, primitive = "input"): Spec {
  const { shape, dtype } = atom.aval;
  if (!DTYPES.includes(dtype)) throw new TranslationError(primitive, `element type ${dtype}`);
  return { shape: [...shape], dtype: dtype as Dtype };
}

/** Arrays that the traced function closed over. */
function constantOf(graph: GraphBuilder, constant: ClosedJaxpr["consts"][number], spec: Spec): string {
  const data = (constant.ref as unknown as { dataSync(): ArrayBufferView & Iterable<number> }).dataSync();
  return graph.constant(spec.dtype === "bool" ? Uint8Array.from(data) : data, spec.shape, spec.dtype);
}

const describe = (params: Record<string, unknown>): string =>
  JSON.stringify(params, (_, value) => (typeof value === "bigint" ? String(value) : value)) ?? "none";
