import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type GivenTrainSettings, trainSettings } from "@/lib/train/settings";
import { countStarts } from "./plan";

/** What a training would do, before it is queued. */
export interface DryRun {
  starts: { kind: "prefix" | "task" | "pivot"; count: number };
  /** Groups and rollouts when no group has to be replaced, and when every draw has. */
  groups: { least: number; most: number };
  rollouts: { least: number; most: number };
  /** Milliseconds by the speed of trainings on this machine; null: none has run yet. */
  expectedMs: { least: number; most: number } | null;
}

/** Milliseconds a rollout took in the last steps of trainings here. */
function pace(db: Db): number | null {
  const row = statement(
    db,
    `select sum(json_extract(metrics, '$.ms.total')) as ms, sum(json_extract(metrics, '$.rollouts')) as rollouts
     from (select metrics from training_step where json_extract(metrics, '$.ms.total') is not null order by created_at desc limit 50)`,
  ).get() as { ms: number | null; rollouts: number | null };
  return row.ms !== null && row.rollouts ? row.ms / row.rollouts : null;
}

/** Throws NothingToTrainOn and ZodError. */
export function dryRun(db: Db, studyId: number, given: GivenTrainSettings): DryRun {
  const settings = trainSettings.parse(given);
  const starts = countStarts(db, studyId, settings);
  const least = settings.steps * settings.batch;
  const most = least * (1 + settings.resample);
  const rollouts = { least: least * settings.group, most: most * settings.group };
  const each = pace(db);
  return {
    starts,
    groups: { least, most },
    rollouts,
    expectedMs:
      each === null ? null : { least: Math.round(each * rollouts.least), most: Math.round(each * rollouts.most) },
  };
}
