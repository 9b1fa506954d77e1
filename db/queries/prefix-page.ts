import "server-only";
import { getBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

export interface RerunView {
  id: number;
  repeat: number;
  driver: string;
  verdict: string;
  voidReason: string | null;
  /** Step id. */
  firstDifference: number | null;
  cause: string | null;
  normalisedKept: number | null;
  exitCodeKept: number | null;
  mode: string;
  ran: number;
  imageDigest: string | null;
  host: string | null;
  durationMs: number | null;
  jobId: number | null;
  createdAt: number;
}

export interface RerunStepView {
  stepId: number;
  equal: number;
  normalisedEqual: number | null;
  exitCode: number | null;
  durationMs: number | null;
  cause: string | null;
  /** What the rerun showed; null when it equals the recorded observation. */
  output: string | null;
}

/** Reruns of a prefix, newest first. */
export const rerunsOf = (db: Db, prefixId: number, limit: number): RerunView[] =>
  all<RerunView>(
    db,
    `select id, repeat, driver, verdict, void_reason as voidReason, first_difference as firstDifference, cause,
       normalised_kept as normalisedKept, exit_code_kept as exitCodeKept, mode, ran, image_digest as imageDigest, host,
       duration_ms as durationMs, job_id as jobId, created_at as createdAt
     from rerun where prefix_id = ? order by id desc limit ?`,
    prefixId,
    limit,
  );

/** The commands of a rerun in order, with the outputs that differ. */
export function rerunSteps(db: Db, rerunId: number): RerunStepView[] {
  const rows = all<Omit<RerunStepView, "output"> & { hash: string | null }>(
    db,
    `select step_id as stepId, equal, normalised_equal as normalisedEqual, exit_code as exitCode, duration_ms as durationMs,
       output_hash as hash, cause from rerun_step where rerun_id = ? order by id`,
    rerunId,
  );
  return rows.map(({ hash, ...row }) => ({
    ...row,
    output: hash === null ? null : getBlob(db, hash).toString("utf8"),
  }));
}

/** The newest rerun job of a prefix that is not over; null when none is. */
export function openRerunJob(db: Db, prefixId: number): number | null {
  const row = one<{ id: number }>(
    db,
    `select j.id from job j left join job_item i on i.job_id = j.id and i.key like ? || '/%'
     where j.kind = 'rerun' and j.status in ('queued', 'running')
       and (i.id is not null or (j.listed = 0 and exists (select 1 from json_each(j.params, '$.prefixes') where value = ?)))
     order by j.id desc limit 1`,
    String(prefixId),
    prefixId,
  );
  return row?.id ?? null;
}

export interface DrawView {
  id: number;
  /** DrawParams of lib/prefix/sample. */
  params: unknown;
  createdAt: number;
}

/** Draws, newest first. */
export const listDraws = (db: Db, limit: number): DrawView[] =>
  all<Omit<DrawView, "params"> & { params: string }>(
    db,
    "select id, params, created_at as createdAt from prefix_draw order by id desc limit ?",
    limit,
  ).map((draw) => ({ ...draw, params: JSON.parse(draw.params) as unknown }));
