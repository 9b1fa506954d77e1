/** Extents of a tensor's axes; [] is a scalar. */
export type Shape = readonly number[];

/** Number of elements. */
export const sizeOf = (shape: Shape): number => shape.reduce((product, extent) => product * extent, 1);

/** Same rank and extents. */
export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((extent, i) => extent === b[i]);

/** Axes of an extent other than 1. */
export const wideAxes = (shape: Shape): number[] => shape.flatMap((extent, axis) => (extent === 1 ? [] : [axis]));

/** Extents other than 1. */
export const squeezed = (shape: Shape): number[] => shape.filter((extent) => extent !== 1);

/** The extent of an axis that exists; a bug of the caller otherwise. */
export function extentAt(shape: Shape, axis: number): number {
  const extent = shape[axis];
  if (extent === undefined) throw new RangeError(`no axis ${axis} in [${shape.join(", ")}]`);
  return extent;
}

/** Extents at some axes, in their order. */
export const extentsAt = (shape: Shape, axes: readonly number[]): number[] => axes.map((axis) => extentAt(shape, axis));

/** NumPy's broadcast of shapes that fit together. */
export function broadcastShapes(shapes: readonly Shape[]): number[] {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const out: number[] = Array(rank).fill(1);
  for (const shape of shapes) {
    for (const [axis, extent] of shape.entries()) if (extent !== 1) out[rank - shape.length + axis] = extent;
  }
  return out;
}

/** Axes that a reshape merges or splits into one another: their products are equal. */
export interface AxisGroup {
  from: { start: number; end: number };
  to: { start: number; end: number };
}

/** The smallest groups of neighbouring axes with equal products, in order; null when the sizes differ. */
export function axisGroups(from: Shape, to: Shape): AxisGroup[] | null {
  const groups: AxisGroup[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const [startFrom, startTo] = [i, j];
    let left = from[i++] ?? 1;
    let right = to[j++] ?? 1;
    while (left !== right) {
      const more = left < right ? from[i++] : to[j++];
      if (more === undefined) return null;
      if (left < right) left *= more;
      else right *= more;
    }
    groups.push({
      from: { start: startFrom, end: Math.min(i, from.length) },
      to: { start: startTo, end: Math.min(j, to.length) },
    });
  }
  return groups;
}
