import "server-only";
import type { Db } from "@/db/client";
import { settledDraws } from "@/db/queries/peopleLabels";
import { type Reach, reachOf } from "@/lib/review/queue/reach";
import type { RecallUnknown } from "./quality";

/** What each settled step says of steps nobody flagged; of several queues that drew it, the one that says most. */
export function settledReaches(db: Db): Map<number, Reach> {
  const out = new Map<number, Reach>();
  for (const { stepId, random, filter } of settledDraws(db)) {
    const reach = reachOf(filter === null ? undefined : JSON.parse(filter), random === 1);
    const before = out.get(stepId);
    if (before === undefined || reach === "all" || (reach === "chosen" && before === "flagged")) out.set(stepId, reach);
  }
  return out;
}

/** Why steps of these reaches do not tell recall; null: some of them do. */
export function unknownFrom(reaches: readonly Reach[]): RecallUnknown | null {
  if (reaches.includes("all")) return null;
  return reaches.every((reach) => reach === "flagged") ? "flagged" : "chosen";
}
