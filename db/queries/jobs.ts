import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { ALONE_KINDS, FOLLOWING_KINDS, JOB_SLOTS, type JobStatus } from "@/db/schema/jobs";
import { type PlacedView, placedView } from "./placed";

/** A job as pages and the API show it. Times are UTC epoch milliseconds. */
export interface JobView {
  id: number;
  kind: string;
  title: string;
  status: JobStatus;
  listed: boolean;
  total: number;
  done: number;
  failed: number;
  counts: Record<string, number>;
  error: string | null;
  cancelRequested: boolean;
  pauseRequested: boolean;
  requestedBy: string;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  heartbeatAt: number | null;
  /** Running jobs that must end before this queued one starts; none: it is not queued, or nothing holds it up. */
  waitsFor: { id: number; title: string }[];
  /** Where it runs: "local", "slurm", "ray". */
  place: string;
  /** What is known of it there; null for what runs here. */
  placed: PlacedView | null;
}

type Row = {
  id: number;
  kind: string;
  title: string;
  status: JobStatus;
  listed: number;
  items_total: number;
  items_done: number;
  items_failed: number;
  counts: string;
  error: string | null;
  cancel_requested: number;
  requested_by: string;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  heartbeat_at: number | null;
  params: string;
  place: string;
  placed: string | null;
};

const countsSchema = z.record(z.string(), z.number());

/** What holds up a queued job of this machine: the training that runs, or the jobs that fill the worker's places. */
function waitsFor(db: Db, r: Row): JobView["waitsFor"] {
  if (r.status !== "queued" || r.place !== "local") return [];
  const following: readonly string[] = FOLLOWING_KINDS;
  const alone: readonly string[] = ALONE_KINDS;
  const running = db.$client
    .prepare<[], { id: number; title: string; kind: string }>(
      "select id, title, kind from job where status = 'running' and place = 'local' order by id",
    )
    .all()
    .filter((other) => !following.includes(other.kind));
  const blocking = alone.includes(r.kind) ? running.filter((other) => alone.includes(other.kind)) : [];
  const holding = blocking.length > 0 ? blocking : running.length >= JOB_SLOTS ? running : [];
  return holding.map(({ id, title }) => ({ id, title }));
}

const toView = (db: Db, r: Row): JobView => ({
  id: r.id,
  kind: r.kind,
  title: r.title,
  status: r.status,
  listed: r.listed === 1,
  total: r.items_total,
  done: r.items_done,
  failed: r.items_failed,
  counts: countsSchema.parse(JSON.parse(r.counts)),
  error: r.error,
  cancelRequested: r.cancel_requested === 1,
  pauseRequested: r.cancel_requested === 2,
  requestedBy: r.requested_by,
  createdAt: r.created_at,
  startedAt: r.started_at,
  finishedAt: r.finished_at,
  heartbeatAt: r.heartbeat_at,
  waitsFor: waitsFor(db, r),
  place: r.place,
  placed: placedView(r),
});

/** Newest jobs first; `before`: id to go on from (exclusive). */
export function listJobs(db: Db, query: { before?: number; limit: number; status?: string }): JobView[] {
  return db.$client
    .prepare<Record<string, number | string | null>, Row>(
      "select * from job where id < @before and (@status is null or status = @status) order by id desc limit @limit",
    )
    .all({ before: query.before ?? Number.MAX_SAFE_INTEGER, status: query.status ?? null, limit: query.limit })
    .map((r) => toView(db, r));
}

/** One job, or undefined. */
export function getJobView(db: Db, id: number): JobView | undefined {
  const row = db.$client.prepare<[number], Row>("select * from job where id = ?").get(id);
  return row && toView(db, row);
}

/** Jobs that are queued or running. */
export function activeJobs(db: Db): JobView[] {
  return db.$client
    .prepare<[], Row>("select * from job where status in ('queued', 'running') order by id")
    .all()
    .map((r) => toView(db, r));
}

export interface JobEvent {
  id: number;
  level: "info" | "warn" | "error";
  message: string;
  createdAt: number;
}

/** Log lines of a job after `after`, oldest first. */
export function jobEvents(db: Db, jobId: number, query: { after?: number; limit: number }): JobEvent[] {
  return db.$client
    .prepare<[number, number, number], JobEvent>(
      "select id, level, message, created_at as createdAt from job_event where job_id = ? and id > ? order by id limit ?",
    )
    .all(jobId, query.after ?? 0, query.limit);
}

export interface FailedItem {
  id: number;
  key: string;
  error: string | null;
  attempts: number;
}

/** Failed items of a job. */
export function failedItems(db: Db, jobId: number, query: { after?: number; limit: number }): FailedItem[] {
  return db.$client
    .prepare<[number, number, number], FailedItem>(
      "select id, key, error, attempts from job_item where job_id = ? and status = 'failed' and id > ? order by id limit ?",
    )
    .all(jobId, query.after ?? 0, query.limit);
}

export interface ImportFile {
  id: number;
  key: string;
  path: string;
  position: string | null;
  reason: string;
  hint: string | null;
}

/** Files an import refused or skipped. */
export function importFiles(
  db: Db,
  jobId: number,
  query: { status: "refused" | "skipped"; after?: number; limit: number },
): ImportFile[] {
  return db.$client
    .prepare<[number, string, number, number], ImportFile>(
      "select id, key, path, position, reason, hint from import_file where job_id = ? and status = ? and id > ? order by id limit ?",
    )
    .all(jobId, query.status, query.after ?? 0, query.limit);
}
