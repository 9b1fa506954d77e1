import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { before, count, idParam, limit, nextId, pageById, report, rowId, time } from "@/app/api/v1/schemas";
import type { Db } from "@/db/client";
import { callTotals, NO_CALL_FILTERS } from "@/db/queries/calls";
import { failedItems, getJobView, importFiles, jobEvents, listJobs } from "@/db/queries/jobs";
import { JOB_STATUSES } from "@/db/schema/jobs";
import { costReport } from "@/lib/evaluate/cost/report";
import { type ChangeResult, cancelJob, pauseJob, resumeJob, retryJob } from "@/lib/jobs/queue";
import { ROLE_NAMES } from "@/lib/model/chat/types";

const row = z.object({
  id: z.number(),
  kind: z.string(),
  title: z.string(),
  status: z.enum(JOB_STATUSES),
  listed: z.boolean().describe("all its items are known: `total` grows no more"),
  total: count,
  done: count,
  failed: count,
  counts: z.record(z.string(), z.number()),
  error: z.string().nullable(),
  cancelRequested: z.boolean(),
  pauseRequested: z.boolean(),
  requestedBy: z.string(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  heartbeatAt: time.nullable(),
  waitsFor: z
    .array(z.object({ id: z.number(), title: z.string() }))
    .describe("running jobs that must end before this queued one starts"),
  place: z.string(),
});

function jobOf(db: Db, id: number) {
  const found = getJobView(db, id);
  if (!found) throw new CallError(404, `There is no job ${id}.`);
  return found;
}

const afterId = rowId.optional().describe("go on after this id: `next` of the page before");
/** A page of rows by growing id. */
const page = <T extends { id: number }>(rows: T[], most: number) => pageById(rows, most);
const how = (query: { limit: number; after?: number | undefined }) => ({
  limit: query.limit + 1,
  ...(query.after === undefined ? {} : { after: query.after }),
});
const nextAfter = z.number().nullable().describe("`after` of the next page; null: this is the last for now");

const CHANGES: [string, string, (db: Db, id: number, actor: string) => ChangeResult][] = [
  ["cancel", "Ask a job to stop for good; what was finished stays", cancelJob],
  ["pause", "Ask a job to wait; a running one after the item in flight", pauseJob],
  ["resume", "Put a paused job back into the queue", resumeJob],
  ["retry", "Put the failed and unfinished items of an ended job back into the queue", retryJob],
];

export const jobOperations = [
  operation({
    id: "listJobs",
    method: "GET",
    path: "/jobs",
    tag: "jobs",
    role: "viewer",
    summary: "Jobs, newest first",
    query: z.strictObject({ status: z.enum(JOB_STATUSES).optional(), limit: limit(1000), before }),
    response: z.object({ next: nextId, jobs: z.array(row) }),
    run: ({ db, query }) => {
      const { rows, next } = pageById(
        listJobs(db, {
          limit: query.limit + 1,
          ...(query.before === undefined ? {} : { before: query.before }),
          ...(query.status === undefined ? {} : { status: query.status }),
        }),
        query.limit,
      );
      return { next, jobs: rows };
    },
  }),
  operation({
    id: "showJob",
    method: "GET",
    path: "/jobs/{id}",
    tag: "jobs",
    role: "viewer",
    summary: "A job: status, progress, counts",
    params: idParam,
    response: row,
    run: ({ db, params: { id } }) => jobOf(db, id),
  }),
  operation({
    id: "jobLog",
    method: "GET",
    path: "/jobs/{id}/log",
    tag: "jobs",
    role: "viewer",
    summary: "Log lines of a job, oldest first",
    params: idParam,
    query: z.strictObject({ limit: limit(1000, 200), after: afterId }),
    response: z.object({
      next: nextAfter,
      lines: z.array(
        z.object({ id: z.number(), level: z.enum(["info", "warn", "error"]), message: z.string(), createdAt: time }),
      ),
    }),
    run: ({ db, params: { id }, query }) => {
      jobOf(db, id);
      const { rows, next } = page(jobEvents(db, id, how(query)), query.limit);
      return { next, lines: rows };
    },
  }),
  operation({
    id: "jobFailures",
    method: "GET",
    path: "/jobs/{id}/failures",
    tag: "jobs",
    role: "viewer",
    summary: "Failed items of a job with their reasons",
    params: idParam,
    query: z.strictObject({ limit: limit(1000, 200), after: afterId }),
    response: z.object({
      next: nextAfter,
      items: z.array(z.object({ id: z.number(), key: z.string(), error: z.string().nullable(), attempts: z.number() })),
    }),
    run: ({ db, params: { id }, query }) => {
      jobOf(db, id);
      const { rows, next } = page(failedItems(db, id, how(query)), query.limit);
      return { next, items: rows };
    },
  }),
  operation({
    id: "importFiles",
    method: "GET",
    path: "/jobs/{id}/files",
    tag: "jobs",
    role: "viewer",
    summary: "Files an import refused or skipped: path, position, reason",
    params: idParam,
    query: z.strictObject({
      status: z.enum(["refused", "skipped"]).default("refused"),
      limit: limit(1000, 200),
      after: afterId,
    }),
    response: z.object({
      next: nextAfter,
      files: z.array(
        z.object({
          id: z.number(),
          key: z.string(),
          path: z.string(),
          position: z.string().nullable(),
          reason: z.string(),
          hint: z.string().nullable(),
        }),
      ),
    }),
    run: ({ db, params: { id }, query }) => {
      jobOf(db, id);
      const { rows, next } = page(importFiles(db, id, { status: query.status, ...how(query) }), query.limit);
      return { next, files: rows };
    },
  }),
  ...CHANGES.map(([verb, summary, change]) =>
    operation({
      id: `${verb}Job`,
      method: "POST",
      path: `/jobs/{id}/${verb}`,
      tag: "jobs",
      role: "admin",
      summary,
      params: idParam,
      response: row,
      run: ({ db, actor, params: { id } }) => {
        jobOf(db, id);
        const done = change(db, id, actor.name);
        if (!done.ok) throw new CallError(409, done.reason);
        return jobOf(db, id);
      },
    }),
  ),
  operation({
    id: "usage",
    method: "GET",
    path: "/usage",
    tag: "jobs",
    role: "viewer",
    summary: "What model calls used and cost, by model and role",
    query: z.strictObject({
      job: rowId.optional(),
      model: z.array(z.string()).default([]),
      role: z.array(z.enum(ROLE_NAMES)).default([]),
    }),
    response: z.object({
      usage: z.array(
        z.object({
          model: z.string(),
          role: z.string(),
          calls: count,
          failed: count,
          fromCache: count,
          unparsed: count,
          repaired: count,
          input: z.number().nullable().describe("tokens; sums over the calls that say, null: none does"),
          cached: z.number().nullable(),
          output: z.number().nullable(),
          reasoning: z.number().nullable(),
          unknownTokens: count.describe("calls in no sum"),
          costs: z.array(z.object({ currency: z.string(), nano: z.number().describe("billionths of the currency") })),
          unknownCost: count,
        }),
      ),
    }),
    run: ({ db, query }) => {
      if (query.job !== undefined) jobOf(db, query.job);
      return {
        usage: callTotals(db, {
          ...NO_CALL_FILTERS,
          job: query.job ?? null,
          models: query.model,
          roles: query.role,
        }),
      };
    },
  }),
  operation({
    id: "cost",
    method: "GET",
    path: "/cost",
    tag: "jobs",
    role: "viewer",
    summary: "What trainings and model calls used, beside what the paper's formulas say of it",
    response: report({
      kept: count,
      rerun: count,
      perKeptPrefix: z
        .record(z.string(), z.number())
        .nullable()
        .describe("billionths by currency; null: no kept prefix"),
      trainings: z.array(
        report({
          name: z.string(),
          recipe: z.string(),
          steps: count,
          rollouts: count,
          allRollouts: z.number(),
          deadShare: z.number(),
          tokens: z.number().nullable(),
          ms: z.number().nullable(),
        }),
      ),
      ledger: z.array(
        report({
          kind: z.string().nullable(),
          role: z.string(),
          model: z.string(),
          calls: count,
          input: z.number(),
          output: z.number(),
          costNano: z.number().nullable(),
          currency: z.string().nullable(),
          unpriced: count,
        }),
      ),
    }),
    run: ({ db }) => costReport(db),
  }),
];
