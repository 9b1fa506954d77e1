import "server-only";
import type { Db } from "@/db/client";
import { loadedAt } from "@/db/queries/study";
import { statement } from "@/db/statement";
import { type GivenTrainSettings, trainSettings } from "@/lib/train/settings";
import { countStarts } from "./plan";

/** What a training would do, before it is queued. */
export interface DryRun {
  starts: { kind: "prefix" | "task" | "pivot"; count: number };
  /** Groups and rollouts when no group has to be replaced, and when every draw has. */
  groups: { least: number; most: number };
  rollouts: { least: number; most: number };
  /** Milliseconds by the pace of trainings that ran before; null: there is none in this index. */
  expectedMs: { least: number; most: number } | null;
  /** Whose pace that is: of trainings that ran here, or, before the first, of those of the study that was loaded. */
  paceOf: "here" | "study" | null;
}

/** Milliseconds a rollout took in the last steps of trainings after `since`. */
function pace(db: Db, since: number): number | null {
  const row = statement(
    db,
    `select sum(json_extract(metrics, '$.ms.total')) as ms, sum(json_extract(metrics, '$.rollouts')) as rollouts
     from (select metrics from training_step where json_extract(metrics, '$.ms.total') is not null and created_at > ?
       order by created_at desc limit 50)`,
  ).get(since) as { ms: number | null; rollouts: number | null };
  return row.ms !== null && row.rollouts ? row.ms / row.rollouts : null;
}

/** How long a rollout of a training takes, learning included, and whose pace that is; null: none ran before. */
export function rolloutPace(db: Db): { ms: number; of: "here" | "study" } | null {
  const here = pace(db, loadedAt(db) ?? 0);
  if (here !== null) return { ms: here, of: "here" };
  const study = pace(db, 0);
  return study === null ? null : { ms: study, of: "study" };
}

/** Throws NothingToTrainOn and ZodError. */
export function dryRun(db: Db, studyId: number, given: GivenTrainSettings): DryRun {
  const settings = trainSettings.parse(given);
  const starts = countStarts(db, studyId, settings);
  const least = settings.steps * settings.batch;
  const most = least * (1 + settings.resample);
  const rollouts = { least: least * settings.group, most: most * settings.group };
  const each = rolloutPace(db);
  return {
    starts,
    groups: { least, most },
    rollouts,
    expectedMs:
      each === null ? null : { least: Math.round(each.ms * rollouts.least), most: Math.round(each.ms * rollouts.most) },
    paceOf: each?.of ?? null,
  };
}
