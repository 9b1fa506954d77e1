import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import {
  after,
  count,
  cursorOf,
  cursorText,
  direction,
  idParam,
  limit,
  nextCursor,
  place,
  queued,
  rowId,
  time,
} from "@/app/api/v1/schemas";
import type { Db } from "@/db/client";
import { SPAN, stepId } from "@/db/ids";
import { NO_PREFIX_FILTERS } from "@/db/queries/prefix-filters";
import { rerunsOf } from "@/db/queries/prefix-page";
import { listPrefixes, PREFIX_SORTS, prefixRow } from "@/db/queries/prefixes";
import { DEFAULT_REPEATS, MAX_REPEATS } from "@/lib/jobs/executors/rerun";
import { checkPlace } from "@/lib/jobs/place/refusal";
import { enqueue } from "@/lib/jobs/queue";
import { RERUN_MODES } from "@/lib/prefix/rerun";
import { drawPrefixes, drawRequest, prefixOfStep } from "@/lib/prefix/sample";
import { CAUSES, PREFIX_STATUSES } from "@/lib/prefix/types";
import { DRIVERS } from "@/lib/sandbox/types";
import { plural } from "@/lib/text/format";

const text = z.string().nullable();
const row = z.object({
  id: z.number(),
  stepId: z.number(),
  trajectoryId: z.number(),
  entry: count.describe("of the step the prefix ends before"),
  number: z.number().nullable(),
  preview: z.string(),
  misbehavior: text,
  misbehaviorSlug: text,
  environment: text,
  model: text,
  split: text,
  status: z.string(),
  cause: text,
  commands: count,
  reruns: count,
  exact: count,
  drawId: z.number().nullable(),
  review: text,
  voidReason: text,
});

/** Most reruns of a prefix that are shown. */
const MOST_RERUNS = 1000;

function known(db: Db, id: number) {
  const found = prefixRow(db, id);
  if (!found) throw new CallError(404, `There is no prefix ${id}.`);
  return found;
}

export const prefixOperations = [
  operation({
    id: "listPrefixes",
    method: "GET",
    path: "/prefixes",
    tag: "prefixes",
    role: "viewer",
    summary: "List prefixes: filter, sort, page",
    query: z.strictObject({
      misbehavior: z.array(z.string()).default([]),
      status: z.array(z.enum(PREFIX_STATUSES)).default([]),
      cause: z.array(z.enum(CAUSES)).default([]),
      split: z.array(z.enum(["training", "heldout"])).default([]),
      environment: z.array(z.string()).default([]),
      draw: z.coerce.number().int().nonnegative().optional().describe("prefixes of a draw; 0: made on demand"),
      sort: z.enum(PREFIX_SORTS).default("newest"),
      direction,
      limit: limit(1000),
      after,
    }),
    response: z.object({ total: count, next: nextCursor, prefixes: z.array(row) }),
    run: ({ db, query }) => {
      const page = listPrefixes(db, {
        filters: {
          ...NO_PREFIX_FILTERS,
          misbehaviors: query.misbehavior,
          statuses: query.status,
          causes: query.cause,
          splits: query.split,
          environments: query.environment,
          draw: query.draw ?? null,
        },
        sort: query.sort,
        direction: query.direction,
        limit: query.limit,
        cursor: cursorOf(query.after),
        before: false,
      });
      return { total: page.total, next: cursorText(page.next), prefixes: page.rows };
    },
  }),
  operation({
    id: "showPrefix",
    method: "GET",
    path: "/prefixes/{id}",
    tag: "prefixes",
    role: "viewer",
    summary: `A prefix with its reruns, newest first (${MOST_RERUNS} at most)`,
    params: idParam,
    response: z.object({
      ...row.shape,
      results: z.array(
        z.object({
          id: z.number(),
          repeat: z.number(),
          driver: z.string(),
          verdict: z.string(),
          voidReason: text,
          firstDifference: z.number().nullable().describe("step id"),
          cause: text,
          mode: z.string(),
          ran: count,
          durationMs: z.number().nullable(),
          jobId: z.number().nullable(),
          createdAt: time,
        }),
      ),
    }),
    run: ({ db, params: { id } }) => ({ ...known(db, id), results: rerunsOf(db, id, MOST_RERUNS) }),
  }),
  operation({
    id: "drawPrefixes",
    method: "POST",
    path: "/prefixes/draw",
    tag: "prefixes",
    role: "admin",
    summary: "Draw misbehavior prefixes: so many a misbehavior, never one step twice, split by environment",
    body: z.strictObject(drawRequest.omit({ studyId: true }).shape),
    status: 201,
    response: z.object({
      drawId: z.number(),
      candidates: count,
      types: z.array(
        z.object({
          slug: z.string(),
          asked: count,
          available: count,
          drawn: count,
          training: count,
          heldout: count,
        }),
      ),
    }),
    run: ({ db, body }) => {
      const { drawId, params } = drawPrefixes(db, { ...body, studyId: 1 });
      return { drawId, candidates: params.candidates, types: params.types };
    },
  }),
  operation({
    id: "prefixOfStep",
    method: "POST",
    path: "/prefixes",
    tag: "prefixes",
    role: "admin",
    summary: "Make the prefix that ends before an entry of a trajectory, or find it",
    body: z.strictObject({
      trajectoryId: rowId,
      entry: z
        .number()
        .int()
        .min(0)
        .max(SPAN - 1),
    }),
    status: 201,
    response: row,
    run: ({ db, body }) => known(db, prefixOfStep(db, stepId(body.trajectoryId, body.entry))),
  }),
  operation({
    id: "rerunPrefixes",
    method: "POST",
    path: "/prefixes/rerun",
    tag: "prefixes",
    role: "admin",
    summary: "Queue a rerun check: replay the commands in fresh sandboxes and compare what the policy saw",
    body: z.strictObject({
      ids: z.array(z.number().int().positive()).min(1).max(100_000),
      repeats: z.number().int().min(1).max(MAX_REPEATS).default(DEFAULT_REPEATS),
      mode: z.enum(RERUN_MODES).default("stop").describe("stop at the first difference, or go through"),
      driver: z.enum(DRIVERS).optional().describe("only this sandbox driver"),
      place,
    }),
    status: 202,
    response: z.object({ ...queued.shape, prefixes: count }),
    run: ({ db, actor, body: { ids, place: where, ...how } }) => {
      const prefixes = [...new Set(ids)];
      for (const id of prefixes) known(db, id);
      checkPlace(where, null);
      const jobId = enqueue(db, {
        kind: "rerun",
        title:
          prefixes.length === 1
            ? `Rerun prefix ${prefixes[0]}`
            : `Rerun ${plural(prefixes.length, "prefix", "prefixes")}`,
        params: { prefixes, ...how },
        place: where,
        requestedBy: actor.name,
      });
      return { jobId, prefixes: prefixes.length };
    },
  }),
];
