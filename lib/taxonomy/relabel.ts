import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { getTaxonomy } from "@/db/queries/taxonomies";
import { annotatorSpec } from "./settings";

/**
 * stale: steps whose labels were made before an edit that may have changed them | open: those, steps that failed or could
 * not be read, and steps that nobody looked at.
 */
export const RELABEL_SCOPES = ["stale", "open"] as const;

export const relabelSettings = z.object({
  taxonomyId: z.number().int().positive(),
  annotator: annotatorSpec.default({ use: "rules" }),
  scope: z.enum(RELABEL_SCOPES).default("stale"),
  batchSize: z.number().int().min(1).max(500).default(40),
  parallel: z.number().int().min(1).max(64).default(4),
});
export type RelabelSettings = z.infer<typeof relabelSettings>;

/** A version that cannot be relabelled, said so that a person can act on it. */
export class RelabelRefused extends Error {}

/** Throws RelabelRefused unless labels may change under this version: only the newest of its name, as older ones stay as they are. */
export function checkRelabel(db: Db, taxonomyId: number): void {
  const row = getTaxonomy(db, taxonomyId);
  if (!row) throw new RelabelRefused(`there is no taxonomy version ${taxonomyId}`);
  if (row.origin === "builtin" || row.origin === "dataset")
    throw new RelabelRefused(
      `the labels of ${row.name} ${row.version} come from where it comes from; edit it to make a version of your own`,
    );
  if (row.status !== "done") throw new RelabelRefused(`version ${row.version} of ${row.name} is not finished`);
  if (!row.newest)
    throw new RelabelRefused(
      `there is a newer version of ${row.name}; older ones stay as they are, relabel the newest`,
    );
}

/** Steps to label again, in order. */
export function stepsToRelabel(db: Db, { taxonomyId, scope }: Pick<RelabelSettings, "taxonomyId" | "scope">): number[] {
  const active = "join trajectory t on t.id = e.trajectory_id and t.superseded_by is null where e.active = 1";
  const sql =
    scope === "stale"
      ? `select e.step_id as id from error_step e ${active}
           and e.step_id in (select step_id from assignment where taxonomy_id = ? and stale = 1) order by e.step_id`
      : `select e.step_id as id from error_step e ${active} and e.step_id not in (select step_id from trial_step)
           and not exists (select 1 from assignment a where a.taxonomy_id = ? and a.step_id = e.step_id and a.stale = 0
             and a.status in ('labelled', 'none')) order by e.step_id`;
  // A version that rules cover has assignments only where something is to be redone.
  const everything = getTaxonomy(db, taxonomyId)?.coverage === "everything";
  return all<{ id: number }>(db, everything ? staleOnly(sql, scope, active) : sql, taxonomyId).map((row) => row.id);
}

const staleOnly = (sql: string, scope: RelabelSettings["scope"], active: string): string =>
  scope === "stale"
    ? sql
    : `select e.step_id as id from error_step e ${active}
         and e.step_id in (select step_id from assignment where taxonomy_id = ? and (stale = 1 or status in ('failed', 'unparsed')))
       order by e.step_id`;

/** Whether labels of a version still wait. */
export const hasStale = (db: Db, taxonomyId: number): boolean =>
  one(db, "select 1 from assignment where taxonomy_id = ? and stale = 1 limit 1", taxonomyId) !== undefined;
