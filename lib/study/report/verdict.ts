import type { Interval } from "@/lib/evaluate/stats/bootstrap";

/** What own numbers say of a published finding. */
export const VERDICTS = ["reproduced", "not reproduced", "cannot be told here"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A claim on one number: it lies above or below a limit. */
export interface Claim {
  interval: Interval | null;
  holds: "above" | "below";
  limit: number;
}

/** The rule, in words, as it stands on the page. */
export const VERDICT_RULE =
  "reproduced: the 95% interval lies wholly on the claimed side; not reproduced: wholly on the other; cannot be told here: it holds the limit, or there is no interval. A finding of several numbers is reproduced when each of them is, and not reproduced when one of them is not. An own interval is not known where every sample says the same (0% or 100%) or there is a single unit: nothing varies that it could be made of.";

/** One claim by its interval; an end on the limit decides nothing. */
export function verdictOf({ interval, holds, limit }: Claim): Verdict {
  if (interval === null) return "cannot be told here";
  const [near, far] =
    holds === "above" ? [interval.low - limit, interval.high - limit] : [limit - interval.high, limit - interval.low];
  return near > 0 ? "reproduced" : far < 0 ? "not reproduced" : "cannot be told here";
}

/** Several claims that a finding makes together; none: nothing can be told. */
export function verdictOfAll(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.length === 0) return "cannot be told here";
  if (verdicts.includes("not reproduced")) return "not reproduced";
  return verdicts.every((v) => v === "reproduced") ? "reproduced" : "cannot be told here";
}

/** A count over training seeds, without sampling within one: every seed of the one side against every seed of the other. */
export function verdictOfSeeds(first: readonly number[], second: readonly number[], holds: "above" | "below"): Verdict {
  if (first.length === 0 || second.length === 0) return "cannot be told here";
  const interval = { low: Math.min(...first) - Math.max(...second), high: Math.max(...first) - Math.min(...second) };
  return verdictOf({ interval, holds, limit: 0 });
}
