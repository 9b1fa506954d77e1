/**
 * Values of a jaxpr while it is translated. Two things stay lazy, because the gradient of a matrix product is traced as
 * a broadcast of both operands followed by a product and a sum over the last axis; written out it would need a hundred
 * times the memory of the model.
 * - Broadcasts: `actual` is the tensor's own shape, `shape` the one the jaxpr believes in. They have the same rank, and an
 *   axis where they differ has the actual extent 1.
 * - Order of axes: `base` is a tensor of which this one is a transpose, so that a product can read it without a copy.
 */
import type { Dtype, GraphBuilder } from "./graph";
import { axisGroups, extentsAt, type Shape, sameShape, squeezed, wideAxes } from "./shape";

export interface Value {
  /** Name in the graph. */
  name: string;
  shape: Shape;
  actual: Shape;
  dtype: Dtype;
  base?: View;
}

/** A tensor, and the order in which its axes other than 1 appear. */
export interface View {
  name: string;
  /** Shape of the tensor. */
  actual: Shape;
  /** For each of the value's axes other than 1, which of the tensor's axes other than 1 it is. */
  order: number[];
}

/** A value that is written out. */
export function whole(name: string, shape: Shape, dtype: Dtype): Value {
  return { name, shape, actual: shape, dtype };
}

/** The tensor below the transposes of a value; the value itself when there are none. */
export function viewOf(value: Value): View {
  return value.base ?? { name: value.name, actual: value.actual, order: squeezed(value.actual).map((_, i) => i) };
}

/** Writes broadcasts out: afterwards `actual` is `shape`. */
export function materialise(graph: GraphBuilder, value: Value): Value {
  if (sameShape(value.actual, value.shape)) return value;
  return whole(graph.op("Expand", [value.name, graph.indices(value.shape)]), value.shape, value.dtype);
}

/** The same tensor with axes of extent 1 in other places. */
export function withUnitAxes(graph: GraphBuilder, value: Value, shape: Shape, actual: Shape): Value {
  const { dtype, base } = value;
  return { name: graph.reshape(value.name, value.actual, actual), shape, actual, dtype, base };
}

/** Puts axes of extent 1 before the others, up to a rank. */
export function lift(graph: GraphBuilder, value: Value, rank: number): Value {
  const ones: number[] = Array(Math.max(0, rank - value.shape.length)).fill(1);
  return ones.length === 0 ? value : withUnitAxes(graph, value, [...ones, ...value.shape], [...ones, ...value.actual]);
}

/** New axes at the places `axes` of the result `shape`, all of them lazy. */
export function broadcast(graph: GraphBuilder, value: Value, shape: Shape, axes: readonly number[]): Value {
  const actual = [...value.actual];
  for (const axis of [...axes].sort((a, b) => a - b)) actual.splice(axis, 0, 1);
  return withUnitAxes(graph, value, shape, actual);
}

export function transpose(graph: GraphBuilder, value: Value, perm: readonly number[]): Value {
  const view = viewOf(value);
  const wide = wideAxes(value.actual);
  const moved = perm.flatMap((axis) => (wide.includes(axis) ? [wide.indexOf(axis)] : []));
  return {
    name: graph.transpose(value.name, perm),
    shape: extentsAt(value.shape, perm),
    actual: extentsAt(value.actual, perm),
    dtype: value.dtype,
    base: { ...view, order: extentsAt(view.order, moved) },
  };
}

/** Keeps broadcasts and views where the merged and split axes allow it, writes the value out where not. */
export function reshape(graph: GraphBuilder, value: Value, shape: Shape): Value {
  const actual = lazyTarget(value, shape);
  if (actual === null) {
    const full = materialise(graph, value);
    return whole(graph.reshape(full.name, full.shape, shape), shape, value.dtype);
  }
  const name = graph.reshape(value.name, value.actual, actual);
  return { name, shape, actual, dtype: value.dtype, base: reshapedBase(graph, value, actual) };
}

/** The actual shape after a reshape: each group of axes must be wholly real or wholly broadcast. */
function lazyTarget(value: Value, shape: Shape): number[] | null {
  const groups = axisGroups(value.shape, shape);
  if (groups === null) return null;
  const target: number[] = [];
  for (const { from, to } of groups) {
    const full = value.shape.slice(from.start, from.end);
    const actual = value.actual.slice(from.start, from.end);
    const wanted = shape.slice(to.start, to.end);
    if (sameShape(full, actual)) target.push(...wanted);
    else if (actual.every((extent) => extent === 1)) target.push(...wanted.map(() => 1));
    else return null;
  }
  return target;
}

/**
 * reshape(transpose(base)) is transpose(reshape(base)) when the axes that merge are neighbours in the base; undefined
 * when they are not, or when there is no transpose to look through.
 */
function reshapedBase(graph: GraphBuilder, value: Value, actual: Shape): View | undefined {
  const view = viewOf(value);
  if (view.order.every((axis, i) => axis === i)) return undefined;
  const to = squeezed(actual);
  const groups = axisGroups(extentsAt(squeezed(view.actual), view.order), to);
  if (groups === null) return undefined;
  const parts: { first: number; extents: number[] }[] = [];
  for (const group of groups) {
    const axes = view.order.slice(group.from.start, group.from.end);
    const first = axes[0];
    if (first === undefined || axes.some((axis, i) => axis !== first + i)) return undefined;
    parts.push({ first, extents: to.slice(group.to.start, group.to.end) });
  }
  const inBase = parts.toSorted((a, b) => a.first - b.first);
  const start = new Map<number, number>();
  let axes = 0;
  for (const part of inBase) {
    start.set(part.first, axes);
    axes += part.extents.length;
  }
  const extents = inBase.flatMap((part) => part.extents);
  return {
    name: graph.reshape(view.name, view.actual, extents),
    actual: extents,
    order: parts.flatMap((part) => part.extents.map((_, i) => (start.get(part.first) ?? 0) + i)),
  };
}
