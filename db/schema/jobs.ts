import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";

export const JOB_STATUSES = ["queued", "running", "done", "partial", "failed", "cancelled", "paused"] as const;
/** `partial`: finished, some items failed or were refused. `paused`: waits for a person (a budget is used up, or on request). */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Jobs a worker runs side by side on this machine: a long import does not hold up a short scan. */
export const JOB_SLOTS = 2;
/** Kinds that use both cores for long: one of them at a time on this machine. */
export const ALONE_KINDS = ["train", "pretrain"] as const;
/** Kinds that mostly wait: beside the others, so that following a training elsewhere holds up nothing here. */
export const FOLLOWING_KINDS = ["read-back"] as const;

/** A durable job. Work is split into `job_item` rows with unique keys, so a killed worker redoes nothing that finished. */
export const job = sqliteTable(
  "job",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    title: text("title").notNull(),
    params: json("params").notNull(),
    status: text("status").$type<JobStatus>().notNull().default("queued"),
    /** Items are complete: the listing phase is over. */
    listed: integer("listed").notNull().default(0),
    itemsTotal: integer("items_total").notNull().default(0),
    itemsDone: integer("items_done").notNull().default(0),
    itemsFailed: integer("items_failed").notNull().default(0),
    /** Counters of the kind, JSON numbers, for example { imported, present, refused }. */
    counts: json("counts").notNull().default("{}"),
    error: text("error"),
    /** A person asked the running job to stop: 1 for good, 2 to pause. */
    cancelRequested: integer("cancel_requested").notNull().default(0),
    leaseOwner: text("lease_owner"),
    leaseUntil: integer("lease_until"),
    heartbeatAt: integer("heartbeat_at"),
    /** Times the worker died under it; too many fail the job. A stop of the whole product does not count. */
    crashes: integer("crashes").notNull().default(0),
    /** Where it runs: local, or the name of an entry of lib/jobs/place. */
    place: text("place").notNull().default("local"),
    /** What was handed to that place and what it says of it, JSON of its kind; null: nothing yet. */
    placed: json("placed"),
    requestedBy: text("requested_by").notNull(),
    createdAt: createdAt(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
  },
  (t) => [index("job_status").on(t.status, t.id)],
);

/** One unit of a job. `status`: queued | done | failed. */
export const jobItem = sqliteTable(
  "job_item",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    jobId: integer("job_id")
      .notNull()
      .references(() => job.id, { onDelete: "cascade" }),
    key: text("key").notNull(),
    payload: json("payload").notNull(),
    status: text("status").notNull().default("queued"),
    attempts: integer("attempts").notNull().default(0),
    result: json("result"),
    error: text("error"),
    finishedAt: integer("finished_at"),
  },
  (t) => [uniqueIndex("job_item_key").on(t.jobId, t.key), index("job_item_status").on(t.jobId, t.status, t.id)],
);

/** The log of a job. `level`: info | warn | error. */
export const jobEvent = sqliteTable(
  "job_event",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    jobId: integer("job_id")
      .notNull()
      .references(() => job.id, { onDelete: "cascade" }),
    level: text("level").notNull(),
    message: text("message").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("job_event_job").on(t.jobId, t.id)],
);

/** Who changed what: written in the transaction of the change. */
export const audit = sqliteTable("audit", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  actor: text("actor").notNull(),
  verb: text("verb").notNull(),
  subject: text("subject").notNull(),
  details: json("details"),
  createdAt: createdAt(),
});
