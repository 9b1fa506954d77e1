import { sampleVariance } from "simple-statistics";
import { type Interval, RESAMPLES } from "@/lib/evaluate/stats/bootstrap";
import { tQuantile } from "@/lib/evaluate/stats/distributions";
import type { Cluster } from "@/lib/evaluate/stats/linear";
import { seededBelow } from "@/lib/evaluate/stats/random";

/**
 * A policy or a recipe: by training seed, stratum (misbehavior; one for scores) and unit (prefix; environment). All arms of
 * one comparison have the same strata and units in the same order: that is the pairing.
 */
export interface Arm {
  seeds: readonly (readonly (readonly Cluster[])[])[];
}

/** What is asked of arms, by their index: "mean" of the first | "difference" first - second | "reduction" 1 - first / second. */
export interface Question {
  kind: "mean" | "difference" | "reduction";
  arms: readonly [number] | readonly [number, number];
}

/** A pooled value. Shares of 1. */
export interface PooledEstimate {
  /** null: an arm has no statement, or the reduction has nothing to reduce. */
  value: number | null;
  /** 95%; null: not known (a single unit, or all resamples say the same). */
  interval: Interval | null;
  /** Standard error of units alone and of training seeds alone; null: not known (one seed, one unit a stratum). */
  seUnits: number | null;
  seSeeds: number | null;
  /** Training seeds of its arms. */
  seeds: number[];
}

const total = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);

/** Mean over strata of sum(numerator) / sum(denominator); null where a stratum has no denominator. */
function shareOf(strata: Arm["seeds"][number], weights: readonly Uint16Array[]): number | null {
  let sum = 0;
  for (let s = 0; s < strata.length; s++) {
    const units = strata[s] as readonly Cluster[];
    const w = weights[s] as Uint16Array;
    let numerator = 0;
    let denominator = 0;
    for (let u = 0; u < units.length; u++) {
      const unit = units[u] as Cluster;
      const times = w[u] as number;
      numerator += times * unit.numerator;
      denominator += times * unit.denominator;
    }
    if (denominator === 0) return null;
    sum += numerator / denominator;
  }
  return strata.length === 0 ? null : sum / strata.length;
}

const meanOf = (values: readonly (number | null)[], weights: Uint16Array): number | null => {
  let sum = 0;
  let n = 0;
  for (let i = 0; i < values.length; i++) {
    const w = weights[i] as number;
    if (w === 0) continue;
    const value = values[i] as number | null;
    if (value === null) return null;
    sum += w * value;
    n += w;
  }
  return n === 0 ? null : sum / n;
};

function answer({ kind, arms }: Question, means: readonly (number | null)[]): number | null {
  const a = means[arms[0]] ?? null;
  if (kind === "mean" || a === null) return a;
  const b = means[arms[1] ?? -1] ?? null;
  if (b === null) return null;
  return kind === "difference" ? a - b : b === 0 ? null : 1 - a / b;
}

/** Draws n - 1 of n with replacement: the variance of the resampled mean is then that of the mean, for few units too (Rao and Wu 1988). */
function drawn(below: (n: number) => number, n: number): Uint16Array {
  const weights = new Uint16Array(n).fill(n < 2 ? 1 : 0);
  for (let i = 0; i < (n < 2 ? 0 : n - 1); i++) {
    const at = below(n);
    weights[at] = (weights[at] as number) + 1;
  }
  return weights;
}

const BOUNDS: Record<Question["kind"], [number, number]> = {
  mean: [0, 1],
  difference: [-1, 1],
  reduction: [Number.NEGATIVE_INFINITY, 1],
};

/**
 * Answers over training seeds with 95% intervals. Each resample draws units within strata (the same for every arm: paired) and
 * the training seeds of each arm (apart: seed 1 of one recipe has nothing to do with seed 1 of another). The interval is
 * value ± t × SE of the resamples; t has the degrees of freedom of units and seeds by Satterthwaite, so that three seeds count
 * as three. Where an arm has one seed, how far training again would move it is not in the interval: `seSeeds` is null then.
 */
export function pooled(
  arms: readonly Arm[],
  questions: readonly Question[],
  key: string,
  resamples = RESAMPLES,
): PooledEstimate[] {
  const strata = arms[0]?.seeds[0] ?? [];
  const all = strata.map((units) => new Uint16Array(units.length).fill(1));
  const full = arms.map((arm) => arm.seeds.map((seed) => shareOf(seed, all)));
  const even = arms.map((arm) => new Uint16Array(arm.seeds.length).fill(1));
  const meansOf = (values: readonly (readonly (number | null)[])[], weights: readonly Uint16Array[]) =>
    values.map((v, a) => meanOf(v, weights[a] as Uint16Array));
  const said = questions.map((q) => answer(q, meansOf(full, even)));
  const below = seededBelow(`study pool\0${key}`);
  const tallies = questions.map((q) => ({
    joint: [] as number[],
    units: [] as number[],
    seeds: q.arms.map(() => [] as number[]),
  }));
  for (let r = 0; r < resamples; r++) {
    const weights = strata.map((units) => drawn(below, units.length));
    const seeds = arms.map((arm) => drawn(below, arm.seeds.length));
    const values = arms.map((arm) => arm.seeds.map((seed) => shareOf(seed, weights)));
    const [units, joint] = [meansOf(values, even), meansOf(values, seeds)];
    questions.forEach((q, i) => {
      const tally = tallies[i] as (typeof tallies)[number];
      const push = (to: number[], means: readonly (number | null)[]) => {
        const value = answer(q, means);
        if (value !== null) to.push(value);
      };
      push(tally.units, units);
      push(tally.joint, joint);
      q.arms.forEach((a, at) => {
        const only = even.map((w, other) => (other === a ? (seeds[a] as Uint16Array) : w));
        push(tally.seeds[at] as number[], meansOf(full, only));
      });
    });
  }
  const spread = (xs: readonly number[]) => (xs.length < 2 ? 0 : sampleVariance([...xs]));
  const unitsFree = total(strata.map((units) => Math.max(0, units.length - 1)));
  return questions.map((q, i): PooledEstimate => {
    const tally = tallies[i] as (typeof tallies)[number];
    const counts = q.arms.map((a) => arms[a]?.seeds.length ?? 0);
    const value = said[i] ?? null;
    const ofUnits = spread(tally.units);
    const ofSeeds = tally.seeds.map(spread);
    const se = Math.sqrt(spread(tally.joint));
    const parts = [
      { variance: ofUnits, free: unitsFree },
      ...ofSeeds.map((variance, at) => ({ variance, free: (counts[at] as number) - 1 })),
    ].filter((p) => p.variance > 0 && p.free > 0);
    const whole = total(parts.map((p) => p.variance));
    const free = whole ** 2 / total(parts.map((p) => p.variance ** 2 / p.free));
    const known = value !== null && se > 1e-12 && parts.length > 0;
    const half = known ? tQuantile(0.975, free) * se : 0;
    const [least, most] = BOUNDS[q.kind];
    const several = counts.some((n) => n > 1);
    return {
      value,
      interval: known ? { low: Math.max(least, value - half), high: Math.min(most, value + half) } : null,
      seUnits: value === null || unitsFree === 0 ? null : Math.sqrt(ofUnits),
      seSeeds: value === null || !several ? null : Math.sqrt(total(ofSeeds)),
      seeds: counts,
    };
  });
}
