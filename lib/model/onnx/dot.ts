import type { GraphBuilder } from "./graph";
import { extentAt, extentsAt, type Shape, sizeOf, squeezed, wideAxes } from "./shape";
import { lift, transpose, type Value, viewOf, whole } from "./value";

/**
 * jax-js's `dot`: the product of two tensors that broadcast, summed over the last axis. Axes that only one side really
 * has are rows or columns, axes that both have are a batch, so it is one MatMul without any broadcast written out.
 */
export function dot(graph: GraphBuilder, left: Value, right: Value): Value {
  const rank = Math.max(left.shape.length, right.shape.length);
  let [x, y] = [lift(graph, left, rank), lift(graph, right, rank)];
  const last = rank - 1;
  const inner = Math.max(extentAt(x.shape, last), extentAt(y.shape, last));
  [x, y] = [widenLast(graph, x, inner), widenLast(graph, y, inner)];

  const batch: number[] = [];
  const rows: number[] = [];
  const columns: number[] = [];
  for (let axis = 0; axis < last; axis++) {
    const [inX, inY] = [extentAt(x.actual, axis) > 1, extentAt(y.actual, axis) > 1];
    if (inX && inY) batch.push(axis);
    else if (inX) rows.push(axis);
    else if (inY) columns.push(axis);
  }
  const outer = (axis: number) => Math.max(extentAt(x.actual, axis), extentAt(y.actual, axis));
  const shape = Array.from({ length: last }, (_, axis) => Math.max(extentAt(x.shape, axis), extentAt(y.shape, axis)));
  const actual = shape.map((_, axis) => outer(axis));
  if (rows.length === 0 && columns.length === 0) {
    const product = graph.op("Mul", [x.name, y.name]);
    const name = graph.op("ReduceSum", [product, graph.indices([last])], { keepdims: 0 });
    return { name, shape, actual, dtype: x.dtype };
  }

  const summed = inner > 1 ? [last] : [];
  const before = extentsAt(x.actual, batch);
  const [m, n] = [sizeOf(extentsAt(x.actual, rows)), sizeOf(extentsAt(y.actual, columns))];
  const a = arranged(graph, x, [...batch, ...rows, ...summed], [...before, m, inner]);
  const b = arranged(graph, y, [...batch, ...summed, ...columns], [...before, inner, n]);
  const order = [...batch, ...rows, ...columns];
  const extents = order.map(outer);
  const product = whole(graph.reshape(graph.op("MatMul", [a, b]), [...before, m, n], extents), extents, x.dtype);
  const sorted = [...order].sort((p, q) => p - q);
  const placed = transpose(
    graph,
    product,
    sorted.map((axis) => order.indexOf(axis)),
  );
  return { ...placed, name: graph.reshape(placed.name, placed.actual, actual), shape, actual };
}

/** The axis that is summed over is written out when it was a broadcast. */
function widenLast(graph: GraphBuilder, value: Value, extent: number): Value {
  const last = value.actual.length - 1;
  if (extentAt(value.actual, last) === extent) return value;
  const actual = [...value.actual.slice(0, last), extent];
  const name = graph.op("Expand", [value.name, graph.indices(actual)]);
  return { ...value, name, actual, base: undefined };
}

/** The value's real axes in an order, as `shape`; read through its transposes. */
function arranged(graph: GraphBuilder, value: Value, order: number[], shape: Shape): string {
  const view = viewOf(value);
  const dense = squeezed(view.actual);
  const wide = wideAxes(value.actual);
  const perm = order.map((axis) => extentAt(view.order, wide.indexOf(axis)));
  const name = graph.transpose(graph.reshape(view.name, view.actual, dense), perm);
  return graph.reshape(name, extentsAt(dense, perm), shape);
}
