import "server-only";
import type { Db } from "@/db/client";
import { ALONE_KINDS, type JobStatus } from "@/db/schema/jobs";
import type { Place } from "./place/places";

/** Input of a new job. `requestedBy` names the actor: "cli", "web", a person. */
export interface NewJob {
  kind: string;
  title: string;
  params: unknown;
  /** Where it runs; default: on this machine. */
  place?: Place;
  requestedBy: string;
}

export interface JobRow {
  id: number;
  kind: string;
  title: string;
  params: string;
  status: JobStatus;
  listed: number;
  items_total: number;
  items_done: number;
  items_failed: number;
  counts: string;
  error: string | null;
  cancel_requested: number;
  lease_owner: string | null;
  lease_until: number | null;
  heartbeat_at: number | null;
  crashes: number;
  /** Where it runs: "local", "slurm". */
  place: string;
  placed: string | null;
  requested_by: string;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

/**
 * A job may die with its worker this often without finishing an item in between; then it fails instead of looping.
 * Generous: somebody who kills or restarts the machine again and again must not lose a job to it.
 */
export const MAX_CRASHES = 30;
/** A lease lasts this long; the heartbeat renews it at a third of it. Milliseconds. */
export const LEASE_MS = 15_000;

/** Job states that will not change any more by themselves; a paused job waits for a person. */
export const isFinal = (status: JobStatus): boolean => status !== "queued" && status !== "running";

/** Adds a job and its audit row in one transaction. Returns its id. */
export function enqueue(db: Db, input: NewJob): number {
  return db.$client
    .transaction(() => {
      const id = Number(
        db.$client
          .prepare("insert into job (kind, title, params, place, requested_by) values (?, ?, ?, ?, ?)")
          .run(input.kind, input.title, JSON.stringify(input.params), input.place ?? "local", input.requestedBy)
          .lastInsertRowid,
      );
      audit(db, input.requestedBy, "enqueue", id, input.kind);
      return id;
    })
    .immediate();
}

function audit(db: Db, actor: string, verb: string, jobId: number, details: string): void {
  db.$client
    .prepare("insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)")
    .run(actor, verb, `job:${jobId}`, JSON.stringify({ details }));
}

export type ChangeResult = { ok: true } | { ok: false; reason: string };

/** Values of `job.cancel_requested`. */
export const STOP = { none: 0, cancel: 1, pause: 2 } as const;

/** Asks a job to stop for good. A queued or paused one is cancelled at once; a running one after the item in flight. */
export function cancelJob(db: Db, id: number, actor: string): ChangeResult {
  return db.$client
    .transaction((): ChangeResult => {
      const now = Date.now();
      const queued = db.$client
        .prepare(
          "update job set status = 'cancelled', cancel_requested = 1, finished_at = ? where id = ? and status in ('queued', 'paused')",
        )
        .run(now, id).changes;
      const running =
        queued ||
        db.$client
          .prepare("update job set cancel_requested = 1 where id = ? and status = 'running' and cancel_requested <> 1")
          .run(id).changes;
      if (!running)
        return { ok: false, reason: `job ${id} is not queued, running or paused, or is already being cancelled` };
      audit(db, actor, "cancel", id, "");
      return { ok: true };
    })
    .immediate();
}

/** Asks a job to wait for a person. A queued one is paused at once; a running one after the item in flight. */
export function pauseJob(db: Db, id: number, actor: string): ChangeResult {
  return db.$client
    .transaction((): ChangeResult => {
      const changed =
        db.$client.prepare("update job set status = 'paused', error = null where id = ? and status = 'queued'").run(id)
          .changes ||
        db.$client
          .prepare("update job set cancel_requested = ? where id = ? and status = 'running' and cancel_requested = 0")
          .run(STOP.pause, id).changes;
      if (!changed) return { ok: false, reason: `job ${id} is not queued or running, or is already being stopped` };
      audit(db, actor, "pause", id, "");
      return { ok: true };
    })
    .immediate();
}

/** Puts a paused job back into the queue; it goes on with the items that have not ended. */
export function resumeJob(db: Db, id: number, actor: string): ChangeResult {
  return db.$client
    .transaction((): ChangeResult => {
      const changed = db.$client
        .prepare(
          "update job set status = 'queued', cancel_requested = 0, crashes = 0, error = null where id = ? and status = 'paused'",
        )
        .run(id).changes;
      if (!changed) return { ok: false, reason: `job ${id} is not paused` };
      audit(db, actor, "resume", id, "");
      return { ok: true };
    })
    .immediate();
}

/** Puts the failed and the unfinished items of an ended job back into the queue. Finished items are not done again. */
export function retryJob(db: Db, id: number, actor: string): ChangeResult {
  return db.$client
    .transaction((): ChangeResult => {
      const changed = db.$client
        .prepare(
          `update job set status = 'queued', cancel_requested = 0, crashes = 0, error = null, finished_at = null, items_failed = 0
           where id = ? and status in ('failed', 'partial', 'cancelled')`,
        )
        .run(id).changes;
      if (!changed) return { ok: false, reason: `job ${id} has not ended with something left to do` };
      db.$client
        .prepare("update job_item set status = 'queued', error = null where job_id = ? and status = 'failed'")
        .run(id);
      audit(db, actor, "retry", id, "");
      return { ok: true };
    })
    .immediate();
}

/** One job row, or undefined. */
export function getJob(db: Db, id: number): JobRow | undefined {
  return db.$client.prepare<[number], JobRow>("select * from job where id = ?").get(id);
}

/** Adds a line to a job's log. */
export function logJob(db: Db, jobId: number, level: "info" | "warn" | "error", message: string): void {
  db.$client.prepare("insert into job_event (job_id, level, message) values (?, ?, ?)").run(jobId, level, message);
}

const ALONE = `kind in (${ALONE_KINDS.map((kind) => `'${kind}'`).join(", ")}) and place = 'local'`;

/**
 * Takes the oldest queued job for `owner`, or undefined. Conditional update: two workers never get the same one. `where`:
 * only jobs that run on this machine, or only those that run elsewhere and are followed.
 */
export function claimJob(
  db: Db,
  owner: string,
  only?: number,
  where: "here" | "elsewhere" | "anywhere" = "anywhere",
): JobRow | undefined {
  const now = Date.now();
  return db.$client
    .prepare<Record<string, string | number | null>, JobRow>(
      `update job set status = 'running', lease_owner = @owner, lease_until = @until, heartbeat_at = @now, started_at = ifnull(started_at, @now)
       where id = (select id from job where status = 'queued' and (@only is null or id = @only)
         and (@where = 'anywhere' or (place = 'local') = (@where = 'here'))
         and (not (${ALONE}) or not exists (select 1 from job where status = 'running' and ${ALONE})) order by id limit 1) returning *`,
    )
    .get({ owner, now, until: now + LEASE_MS, only: only ?? null, where });
}

/** Renews a lease. False when it was lost: the caller must stop writing. */
export function renewLease(db: Db, jobId: number, owner: string): boolean {
  const now = Date.now();
  return (
    db.$client
      .prepare(
        "update job set lease_until = ?, heartbeat_at = ? where id = ? and lease_owner = ? and status = 'running'",
      )
      .run(now + LEASE_MS, now, jobId, owner).changes === 1
  );
}

/**
 * Frees jobs whose worker is gone: all of them when `everything` (the caller holds the worker lock of this home),
 * else those whose lease ran out. A job that crashed MAX_CRASHES times without finishing an item fails.
 */
export function reclaimJobs(db: Db, everything: boolean): number {
  const now = Date.now();
  const where = everything ? "status = 'running'" : "status = 'running' and lease_until < @now";
  return db.$client
    .transaction(() => {
      db.$client
        .prepare(
          `update job set status = 'failed', lease_owner = null, finished_at = @now, error = 'the worker died ${MAX_CRASHES} times while working on the same item; see the log, then retry'
           where ${where} and crashes + 1 >= ${MAX_CRASHES}`,
        )
        .run({ now });
      return db.$client
        .prepare(
          `update job set status = 'queued', lease_owner = null, lease_until = null, crashes = crashes + 1 where ${where}`,
        )
        .run(everything ? {} : { now }).changes;
    })
    .immediate();
}

/** Gives a job back on an orderly stop: no crash is counted. */
export function releaseJob(db: Db, jobId: number, owner: string): void {
  db.$client
    .prepare(
      "update job set status = 'queued', lease_owner = null, lease_until = null where id = ? and lease_owner = ? and status = 'running'",
    )
    .run(jobId, owner);
}
