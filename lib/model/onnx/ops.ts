import { dot } from "./dot";
import type { Dtype, GraphBuilder } from "./graph";
import { broadcastShapes, extentAt, type Shape, sizeOf } from "./shape";
import { broadcast, materialise, reshape, transpose, type Value, whole } from "./value";

/** One step of a jaxpr, its operands translated. */
export interface Step {
  graph: GraphBuilder;
  inputs: Value[];
  /** As jax-js writes them, see `PrimitiveParams` in its declarations. */
  params: Record<string, unknown>;
  shape: Shape;
  dtype: Dtype;
}

/** Translates a step; null when this form of the primitive has no translation. */
type Rule = (step: Step) => Value | null;

/** The operand at a place; jax-js guarantees the number. */
function operand(step: Step, i: number): Value {
  const value = step.inputs[i];
  if (!value) throw new RangeError(`operand ${i} of ${step.inputs.length}`);
  return value;
}

/** An operation element by element: broadcasts stay lazy. */
const elementwise =
  (type: string): Rule =>
  ({ graph, inputs, shape, dtype }) => ({
    name: graph.op(
      type,
      inputs.map((input) => input.name),
    ),
    shape,
    actual: broadcastShapes(inputs.map((input) => input.actual)),
    dtype,
  });

/** As elementwise, with the name of the operation on truth values; null where there is none. */
const byType =
  (numeric: string, bool: string | null): Rule =>
  (step) => {
    if (operand(step, 0).dtype !== "bool") return elementwise(numeric)(step);
    return bool === null ? null : elementwise(bool)(step);
  };

const floatOnly =
  (type: string): Rule =>
  (step) =>
    operand(step, 0).dtype === "float32" ? elementwise(type)(step) : null;

const COMPARISONS: Record<string, string> = { less: "Less", less_equal: "LessOrEqual" };

const compare: Rule = (step) => {
  const op = String(step.params.op);
  if (op === "equal") return elementwise("Equal")(step);
  if (op === "not_equal") {
    const equal = elementwise("Equal")(step);
    return equal && { ...equal, name: step.graph.op("Not", [equal.name]) };
  }
  const type = COMPARISONS[op];
  return type === undefined ? null : byType(type, null)(step);
};

const cast: Rule = (step) => {
  const { actual, shape, name } = operand(step, 0);
  return { name: step.graph.cast(name, step.dtype), shape, actual, dtype: step.dtype };
};

const shrink: Rule = (step) => {
  const { graph } = step;
  const x = materialise(graph, operand(step, 0));
  const bounds = step.params.slice as [number, number][];
  const cut = bounds.flatMap(([from, to], axis) => (from === 0 && to === x.shape[axis] ? [] : [axis]));
  if (cut.length === 0) return x;
  const bound = (end: 0 | 1) => graph.indices(cut.map((axis) => bounds[axis]?.[end] ?? 0));
  return whole(graph.op("Slice", [x.name, bound(0), bound(1), graph.indices(cut)]), step.shape, step.dtype);
};

const pad: Rule = (step) => {
  const { graph } = step;
  const width = step.params.width as [number, number][];
  const pads = graph.indices([...width.map(([before]) => before), ...width.map(([, after]) => after)]);
  return whole(graph.op("Pad", [materialise(graph, operand(step, 0)).name, pads]), step.shape, step.dtype);
};

const REDUCTIONS: Record<string, string> = { Max: "ReduceMax", Min: "ReduceMin", Mul: "ReduceProd" };

const reduce: Rule = (step) => {
  const { graph } = step;
  const axes = step.params.axis as number[];
  const op = String(step.params.op);
  const type = REDUCTIONS[op];
  if (operand(step, 0).dtype === "bool" || (op !== "Add" && type === undefined)) return null;
  // To ONNX, no axes are all axes.
  if (axes.length === 0) return operand(step, 0);
  const x = materialise(graph, operand(step, 0));
  // Opset 17 takes the axes of a sum as an input and those of the others as an attribute.
  const name = type
    ? graph.op(type, [x.name], { axes, keepdims: 0 })
    : graph.op("ReduceSum", [x.name, graph.indices(axes)], { keepdims: 0 });
  return whole(name, step.shape, step.dtype);
};

/** Rows picked by one index along one axis. */
const gather: Rule = (step) => {
  const { graph } = step;
  const axes = step.params.axis as number[];
  const axis = axes[0];
  if (axes.length !== 1 || axis === undefined || step.params.outDim !== axis) return null;
  const [x, ids] = [materialise(graph, operand(step, 0)), materialise(graph, operand(step, 1))];
  return whole(graph.op("Gather", [x.name, ids.name], { axis }), step.shape, step.dtype);
};

/**
 * Sums rows into the first axis: the gradient of an embedding. As one-hot^T @ updates and not as
 * ScatterND(reduction=add), whose CPU kernel in onnxruntime 1.30 races on repeated indices with more than one thread.
 */
const scatter: Rule = (step) => {
  const { graph, params, shape } = step;
  const axes = params.axis as number[];
  if (params.op !== "add" || axes.length !== 1 || axes[0] !== 0 || params.outDim !== 0) return null;
  const [updates, ids] = [materialise(graph, operand(step, 0)), materialise(graph, operand(step, 1))];
  if (updates.dtype !== "float32" || ids.dtype !== "int32") return null;
  const [rows, n] = [extentAt(shape, 0), sizeOf(ids.shape)];
  const width = sizeOf(shape.slice(1));
  const column = graph.reshape(ids.name, ids.shape, [n, 1]);
  const hot = graph.cast(graph.op("Equal", [column, graph.reshape(graph.range(rows), [rows], [1, rows])]), "float32");
  const flat = graph.reshape(updates.name, updates.shape, [n, width]);
  const sum = graph.op("MatMul", [graph.transpose(hot, [1, 0]), flat]);
  return whole(graph.reshape(sum, [rows, width], shape), shape, step.dtype);
};

/** Translation of each primitive that the policy's programs contain; `jit` is opened by the translator itself. */
export const RULES: Readonly<Record<string, Rule>> = {
  add: byType("Add", "Or"),
  mul: byType("Mul", "And"),
  max: byType("Max", "Or"),
  min: byType("Min", "And"),
  neg: byType("Neg", null),
  reciprocal: floatOnly("Reciprocal"),
  sqrt: floatOnly("Sqrt"),
  exp: floatOnly("Exp"),
  log: floatOnly("Log"),
  where: elementwise("Where"),
  compare,
  cast,
  shrink,
  pad,
  reduce,
  gather,
  scatter,
  stop_gradient: (step) => operand(step, 0),
  broadcast: (step) => broadcast(step.graph, operand(step, 0), step.shape, step.params.axis as number[]),
  reshape: (step) => reshape(step.graph, operand(step, 0), step.shape),
  transpose: (step) => transpose(step.graph, operand(step, 0), step.params.perm as number[]),
  dot: (step) => {
    const [x, y] = [operand(step, 0), operand(step, 1)];
    return x.dtype === "float32" ? dot(step.graph, x, y) : null;
  },
};
