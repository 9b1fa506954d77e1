import type { Features } from "./features";

export interface Example {
  features: Features;
  yes: boolean;
}

/** Weights by place, zeros left out. */
export interface LogisticModel {
  bias: number;
  weights: [place: number, weight: number][];
}

/** Strength of the L2 penalty over the mean loss, and steps of the descent. */
const PENALTY = 1e-3;
const STEPS = 400;
/** The loss bends at most a quarter of (1 + the bias) for vectors of length 1. */
const RATE = 1 / (0.25 * 2 + PENALTY);

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** Probability that the answer is yes. */
export function probability({ bias, weights }: LogisticModel, { at, value }: Features): number {
  const known = new Map(weights);
  return sigmoid(bias + at.reduce((sum, place, k) => sum + (known.get(place) ?? 0) * (value[k] as number), 0));
}

/**
 * L2-penalized logistic regression, both classes weighing the same, by accelerated gradient descent (Nesterov 1983) from
 * zero: nothing is drawn, the same examples in the same order give the same bits.
 */
export function trainLogistic(examples: readonly Example[]): LogisticModel {
  const places = [...new Set(examples.flatMap((e) => e.features.at))].sort((a, b) => a - b);
  const index = new Map(places.map((place, i) => [place, i]));
  const rows = examples.map(({ features, yes }) => ({
    at: features.at.map((place) => index.get(place) as number),
    value: features.value,
    yes: yes ? 1 : 0,
  }));
  const n = [rows.filter((r) => r.yes === 0).length, rows.filter((r) => r.yes === 1).length] as const;
  const share = n.map((count) => (count === 0 ? 0 : 1 / (2 * count)));
  const size = places.length + 1;
  let now = new Float64Array(size);
  let ahead = new Float64Array(size);
  for (let step = 0; step < STEPS; step++) {
    const slope = new Float64Array(size);
    for (const { at, value, yes } of rows) {
      let z = ahead[size - 1] as number;
      for (const [k, i] of at.entries()) z += (ahead[i] as number) * (value[k] as number);
      const error = (sigmoid(z) - yes) * (share[yes] as number);
      for (const [k, i] of at.entries()) slope[i] = (slope[i] as number) + error * (value[k] as number);
      slope[size - 1] = (slope[size - 1] as number) + error;
    }
    const next = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const penalty = i === size - 1 ? 0 : PENALTY * (ahead[i] as number);
      next[i] = (ahead[i] as number) - RATE * ((slope[i] as number) + penalty);
    }
    const momentum = step / (step + 3);
    ahead = next.map((w, i) => w + momentum * (w - (now[i] as number)));
    now = next;
  }
  const weights = places.flatMap((place, i): [number, number][] => (now[i] === 0 ? [] : [[place, now[i] as number]]));
  return { bias: now[size - 1] as number, weights };
}
