import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import type { PooledEstimate } from "./pool";

/** Share of 1 as percent with one decimal: "12.3%". */
export const percent = (x: number): string => `${(100 * x).toFixed(1)}%`;
/** Difference of shares in points, signed: "-12.3". */
export const points = (x: number): string => `${x > 0 ? "+" : ""}${(100 * x).toFixed(1)}`;

export const range = (interval: Interval | null, say: (x: number) => string): string =>
  interval === null ? "interval not known" : `95% ${say(interval.low)} to ${say(interval.high)}`;

/** "12.3% (95% 4.0% to 20.1%)"; "not known" without a value. */
export const estimate = (e: PooledEstimate, say: (x: number) => string = percent): string =>
  e.value === null ? "not known" : `${say(e.value)} (${range(e.interval, say)})`;

/** What an interval is made of, in a sentence. */
export function madeOf(e: PooledEstimate, unit: string): string {
  const seeds = Math.max(...e.seeds);
  if (seeds < 2) return `interval over ${unit} alone: one training seed`;
  const trained = e.seeds.filter((n) => n > 1);
  const alone =
    trained.length < e.seeds.length
      ? "; the other side is one checkpoint, and how far training it again would move it is not in it"
      : "";
  return `interval over ${unit} and ${trained.join(" and ")} training seeds${alone}`;
}

/** A judge as it is called in a sentence: a learned one without the digits of its file. */
export const judgeWord = (judge: string): string => judge.replace(/ [0-9a-f]{12}$/, "");

export const hundred = (x: number | null | undefined): number | null =>
  x === null || x === undefined ? null : 100 * x;
