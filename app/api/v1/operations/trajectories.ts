import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { BadInput } from "@/app/api/v1/refusals";
import {
  after,
  count,
  cursorOf,
  cursorText,
  direction,
  idParam,
  limit,
  nextCursor,
  rowId,
  time,
} from "@/app/api/v1/schemas";
import type { Db } from "@/db/client";
import { flagsOf } from "@/db/queries/reader-flags";
import { trajectoryHead } from "@/db/queries/reader-head";
import { listTrajectories, SORT_KEYS } from "@/db/queries/trajectories";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { loadSteps } from "@/lib/trajectory/load";
import { isNumbered } from "@/lib/trajectory/prepare";
import { FORMATS, OUTCOMES } from "@/lib/trajectory/types";

const nullableNumber = z.number().nullable();
const text = z.string().nullable();
const outcome = z.enum(OUTCOMES);
const typed = z.object({ slug: z.string(), name: z.string(), errorSteps: count });
const row = z.object({
  id: z.number(),
  name: text,
  task: text,
  model: text,
  agent: text,
  format: z.string(),
  outcome: z.string(),
  reward: nullableNumber,
  exitStatus: text,
  exceptionType: text,
  steps: count,
  errorSteps: count,
  tokens: nullableNumber,
  costUsd: nullableNumber,
  durationMs: nullableNumber,
  startedAt: time.nullable(),
  warnings: count,
  parentId: nullableNumber,
  createdAt: time,
  rulesVersion: text.describe("rule set that scanned it; null: nobody looked yet, so that 0 error steps say nothing"),
  types: z.array(typed),
});

const said = { id: z.number(), source: z.string(), by: z.string(), reason: text };
const evidence = z.object({
  entry: z.number().nullable().describe("entry of the trajectory that it points at"),
  part: text,
  start: nullableNumber,
  end: nullableNumber,
  note: text,
});
const flag = z.object({
  entry: count,
  number: nullableNumber,
  active: z.boolean(),
  labels: z.array(z.object({ ...said, slug: z.string(), name: z.string(), named: z.boolean(), value: z.string() })),
  reasons: z.array(z.object({ ...said, evidence: z.array(evidence) })),
  others: z.array(z.object({ ...said, verdict: z.string() })),
});

const ANY_OF_THEM = ["any", "unlabelled", "none"];
/** A slug nobody has would list nothing, which reads like a finding. */
function checkMisbehavior(db: Db, given: string): void {
  const slugs = db.$client.prepare("select distinct slug from error_type order by slug").pluck().all() as string[];
  const known = [...ANY_OF_THEM, ...slugs];
  if (!known.includes(given.replace(/@\d+$/, "")))
    throw new BadInput([
      { path: "query.misbehavior", message: `there is no "${given}"; there are ${known.join(", ")}` },
    ]);
}

const headOf = (db: Db, id: number) => {
  const head = trajectoryHead(db, id);
  if (!head) throw new CallError(404, `There is no trajectory ${id}.`);
  return head;
};

export const trajectoryOperations = [
  operation({
    id: "listTrajectories",
    method: "GET",
    path: "/trajectories",
    tag: "trajectories",
    role: "viewer",
    summary: "List trajectories: filter, sort, page",
    query: z.strictObject({
      q: z.string().max(300).default("").describe("part of name, task or model"),
      format: z.array(z.enum(FORMATS)).default([]),
      model: z.array(z.string()).default([]),
      task: z.array(z.string()).default([]).describe("environments"),
      outcome: z.array(outcome).default([]),
      misbehavior: z.string().max(300).optional().describe("a slug, or any, unlabelled, none"),
      profile: rowId.optional().describe("only rollouts of this profile"),
      training: rowId.optional().describe("only rollouts of this training"),
      measurement: rowId.optional().describe("only samples of this measurement"),
      sort: z.enum(SORT_KEYS).default("newest"),
      direction,
      limit: limit(1000),
      after,
    }),
    response: z.object({ total: count, next: nextCursor, trajectories: z.array(row) }),
    run: ({ db, query }) => {
      if (query.misbehavior !== undefined) checkMisbehavior(db, query.misbehavior);
      const page = listTrajectories(db, {
        filters: {
          ...NO_FILTERS,
          q: query.q,
          formats: query.format,
          models: query.model,
          tasks: query.task,
          outcomes: query.outcome,
          misbehavior: query.misbehavior ?? null,
          profile: query.profile ?? null,
          training: query.training ?? null,
          measurement: query.measurement ?? null,
        },
        sort: query.sort,
        direction: query.direction,
        limit: query.limit,
        cursor: cursorOf(query.after),
        before: false,
      });
      return { total: page.total, next: cursorText(page.next), trajectories: page.rows };
    },
  }),
  operation({
    id: "showTrajectory",
    method: "GET",
    path: "/trajectories/{id}",
    tag: "trajectories",
    role: "viewer",
    summary: "A trajectory without its steps, and everything said about its error steps",
    params: idParam,
    response: z.object({
      ...row.omit({ tokens: true, types: true }).shape,
      formatVersion: text,
      attempt: nullableNumber,
      entries: count.describe("all entries, those that are no steps among them"),
      promptTokens: nullableNumber,
      completionTokens: nullableNumber,
      cachedTokens: nullableNumber,
      parentStep: nullableNumber,
      supersededBy: nullableNumber.describe("a newer reading of the same file"),
      sourceKey: z.string(),
      flags: z.array(flag),
    }),
    run: ({ db, params: { id } }) => ({ ...headOf(db, id), flags: flagsOf(db, id) }),
  }),
  operation({
    id: "listSteps",
    method: "GET",
    path: "/trajectories/{id}/steps",
    tag: "trajectories",
    role: "viewer",
    summary: "Entries of a trajectory, whole: thinking, command, observations",
    description: "Entries that are no steps (the task's text, a user's turn) have no `number`.",
    params: idParam,
    query: z.strictObject({
      from: z.coerce.number().int().nonnegative().default(0).describe("first entry"),
      count: limit(1000, 200),
    }),
    response: z.object({
      entries: count,
      next: z.number().nullable().describe("`from` of the next part; null: this is the last"),
      steps: z.array(
        z.object({
          entry: count,
          number: nullableNumber,
          kind: z.string(),
          turn: nullableNumber,
          actor: text,
          thinking: text,
          message: text,
          call: z.looseObject({}).nullable(),
          observations: z.array(z.looseObject({})),
          durationMs: nullableNumber,
          usage: z.looseObject({}).nullable(),
          note: text,
          copied: z.boolean(),
        }),
      ),
    }),
    run: ({ db, params: { id }, query }) => {
      headOf(db, id);
      let number = 0;
      const all = loadSteps(db, id).map((step, entry) => ({
        ...step,
        // The canonical parts are interfaces, which loose objects do not take as they are.
        call: step.call && { ...step.call },
        observations: step.observations.map((o) => ({ ...o })),
        usage: step.usage && { ...step.usage },
        entry,
        number: isNumbered(step) ? ++number : null,
      }));
      const end = query.from + query.count;
      return { entries: all.length, next: end < all.length ? end : null, steps: all.slice(query.from, end) };
    },
  }),
];
