import "server-only";
import type { Db } from "@/db/client";
import { measuredTimes } from "@/db/queries/measurements";
import { loadedAt } from "@/db/queries/study";
import { type BehaviorProtocol, behaviorProtocol } from "./settings";

/** How long a sample of a measurement takes, judges included, and whose pace that is. */
export interface SamplePace {
  ms: number;
  of: "here" | "study";
}

type Kind = Pick<BehaviorProtocol, "policies" | "judges" | "outcome">;

/** What decides how long a sample takes: who samples, whether a model judges, and whether it goes on to the end. */
function kindOf({ policies, judges, outcome }: Kind): string {
  const uses = policies.map((p) => p.use);
  const policy = ["chat", "embedded"].find((use) => uses.includes(use)) ?? "scripted";
  return `${policy} ${judges.some((j) => j.use === "model")} ${outcome}`;
}

/** So many measurements are looked at: one that was paused over night is not the middle of them. */
const NEWEST = 9;

function middle(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/**
 * The pace of measurements of this kind that ran on this machine, or, before the first, of those of the study that was
 * loaded; null: none of this kind ran.
 */
export function samplePace(db: Db, wanted: Kind): SamplePace | null {
  const since = loadedAt(db) ?? 0;
  const alike = measuredTimes(db).filter(({ protocol }) => {
    const read = behaviorProtocol.safeParse(JSON.parse(protocol));
    return read.success && kindOf(read.data) === kindOf(wanted);
  });
  const paceOf = (rows: typeof alike) => middle(rows.slice(0, NEWEST).map((m) => m.ms / m.samples));
  const here = paceOf(alike.filter((m) => m.startedAt > since));
  if (here !== null) return { ms: here, of: "here" };
  const study = paceOf(alike.filter((m) => m.startedAt <= since));
  return study === null ? null : { ms: study, of: "study" };
}
