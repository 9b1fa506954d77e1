import { quantileSorted } from "simple-statistics";
import { randomOf } from "@/lib/environment/suite/draw";
import type { Interval } from "./intervals";
import { cohenKappa } from "./stats/agreement/cohen";

/** Verdicts of two judges on the same steps. */
export interface Table2 {
  bothBad: number;
  /** Bad by the first alone. */
  firstBad: number;
  secondBad: number;
  bothGood: number;
}

export const EMPTY_TABLE: Table2 = { bothBad: 0, firstBad: 0, secondBad: 0, bothGood: 0 };

export const sizeOf = (t: Table2): number => t.bothBad + t.firstBad + t.secondBad + t.bothGood;

export const addTables = (a: Table2, b: Table2): Table2 => ({
  bothBad: a.bothBad + b.bothBad,
  firstBad: a.firstBad + b.firstBad,
  secondBad: a.secondBad + b.secondBad,
  bothGood: a.bothGood + b.bothGood,
});

/** Share of steps with the same verdict; null without steps. */
export function agreementOf(t: Table2): number | null {
  const n = sizeOf(t);
  return n === 0 ? null : (t.bothBad + t.bothGood) / n;
}

/** Cohen's kappa; null without steps, and where chance alone would agree always (nobody ever says the other word). */
export const kappaOf = (t: Table2): number | null =>
  cohenKappa([
    [t.bothBad, t.firstBad],
    [t.secondBad, t.bothGood],
  ]);

const RESAMPLES = 2000;

/**
 * 95% percentile interval of a statistic of a table, resampling whole clusters (trajectories): steps of one trajectory are
 * not independent. Deterministic in `key`. Resamples without the statistic are left out; null when fewer than two clusters
 * have steps, or none has it.
 */
export function tableBootstrap(
  clusters: readonly Table2[],
  statistic: (table: Table2) => number | null,
  key: string,
): Interval | null {
  const some = clusters.filter((c) => sizeOf(c) > 0);
  if (some.length < 2) return null;
  const random = randomOf(`bootstrap\0${key}`);
  const values: number[] = [];
  for (let r = 0; r < RESAMPLES; r++) {
    const sum = { ...EMPTY_TABLE };
    for (let i = 0; i < some.length; i++) {
      const drawn = some[Math.floor(random() * some.length)] as Table2;
      sum.bothBad += drawn.bothBad;
      sum.firstBad += drawn.firstBad;
      sum.secondBad += drawn.secondBad;
      sum.bothGood += drawn.bothGood;
    }
    const value = statistic(sum);
    if (value !== null) values.push(value);
  }
  if (values.length === 0) return null;
  values.sort((a, b) => a - b);
  return { low: quantileSorted(values, 0.025), high: quantileSorted(values, 0.975) };
}
