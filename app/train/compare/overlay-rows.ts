/** A step of a training as it is drawn: how far it was, and the chosen metric. null: not known. */
export interface OverlayPoint {
  step: number;
  /** Rollouts up to the end of the step. */
  rollouts: number;
  /** Minutes of work up to the end of the step. */
  minutes: number | null;
  value: number | null;
}

export const AXES = ["step", "rollouts", "minutes"] as const;
export type Axis = (typeof AXES)[number];

export const AXIS_NAMES: Record<Axis, string> = {
  step: "step",
  rollouts: "rollouts so far",
  minutes: "minutes of work so far",
};

/** The name of a smoothing as it stands by the chart. */
export const smoothingName = (window: number): string =>
  window === 0 ? "not smoothed" : `trailing mean of ${window} steps`;

/** Steps of the trailing mean; 0: none. */
export const SMOOTHING = [0, 5, 10, 20] as const;

/** Mean of the known values among the last `window` of each; a point whose own value is not known stays so. */
export function smoothed(values: readonly (number | null)[], window: number): (number | null)[] {
  if (window <= 1) return [...values];
  return values.map((value, i) => {
    if (value === null) return null;
    const known = values.slice(Math.max(0, i + 1 - window), i + 1).filter((v): v is number => v !== null);
    return known.reduce((sum, v) => sum + v, 0) / known.length;
  });
}

/** Adds up what each step took. A step whose time is not known leaves the time of all later ones unknown. */
export function pointsOf(
  steps: readonly { step: number; rollouts: number; ms: number | null; value: number | null }[],
): OverlayPoint[] {
  let rollouts = 0;
  let ms: number | null = 0;
  return steps.map((step) => {
    rollouts += step.rollouts;
    ms = ms === null || step.ms === null ? null : ms + step.ms;
    return { step: step.step, rollouts, minutes: ms === null ? null : ms / 60_000, value: step.value };
  });
}

export interface OverlayRow {
  x: number;
  /** By training, in order: value and step at exactly this x. */
  own: ({ value: number | null; step: number } | null)[];
  /** By training: the last point at or before x, within the training's range; what a hover says. */
  last: ({ value: number | null; step: number } | null)[];
}

/** All trainings over one axis: a row for every x that any of them has. */
export function overlayRows(trainings: readonly (readonly OverlayPoint[])[], axis: Axis, window: number): OverlayRow[] {
  const lines = trainings.map((points) => {
    const values = smoothed(
      points.map((p) => p.value),
      window,
    );
    return points.flatMap((p, i) => {
      const x = p[axis];
      return x === null ? [] : [{ x, value: values[i] ?? null, step: p.step }];
    });
  });
  const xs = [...new Set(lines.flatMap((line) => line.map(({ x }) => x)))].sort((a, b) => a - b);
  const at = lines.map(() => 0);
  return xs.map((x) => {
    const own = lines.map((line, k) => {
      while ((line[at[k] as number]?.x ?? Number.POSITIVE_INFINITY) < x) at[k] = (at[k] as number) + 1;
      const point = line[at[k] as number];
      return point?.x === x ? { value: point.value, step: point.step } : null;
    });
    const last = lines.map((line, k) => {
      const exact = own[k];
      if (exact) return exact;
      const next = line[at[k] as number];
      const before = line[(at[k] as number) - 1];
      // Past its end a training says nothing.
      return next && before ? { value: before.value, step: before.step } : null;
    });
    return { x, own, last };
  });
}
