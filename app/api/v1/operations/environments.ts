import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { after, count, cursorOf, cursorText, idParam, limit, nextCursor, time } from "@/app/api/v1/schemas";
import {
  ENVIRONMENT_SORTS,
  ENVIRONMENT_STATES,
  environmentsByIds,
  listEnvironments,
} from "@/db/queries/environmentList";

const check = z
  .object({
    status: z.enum(["done", "void"]),
    reward: z.number().nullable(),
    driver: z.string(),
    voidReason: z.string().nullable(),
    createdAt: time,
    outdated: z.boolean().describe("the files changed since"),
  })
  .nullable();
const row = z.object({
  id: z.number(),
  name: z.string(),
  dataset: z.string(),
  kind: z.string(),
  family: z.string().nullable(),
  digest: z.string().nullable().describe("of its files; null: only trajectories name it"),
  state: z.enum(ENVIRONMENT_STATES),
  trajectories: count,
  prefixes: count,
  kept: count,
  solution: check,
  nothing: check,
});

export const environmentOperations = [
  operation({
    id: "listEnvironments",
    method: "GET",
    path: "/environments",
    tag: "environments",
    role: "viewer",
    summary: "List environments: kind, state of their checks, trajectories",
    query: z.strictObject({
      q: z.string().max(300).default("").describe("part of name or data set"),
      kind: z.array(z.string()).default([]),
      dataset: z.array(z.string()).default([]),
      state: z.array(z.enum(ENVIRONMENT_STATES)).default([]),
      sort: z.enum(ENVIRONMENT_SORTS).default("name"),
      direction: z.enum(["asc", "desc"]).default("asc"),
      limit: limit(1000),
      after,
    }),
    response: z.object({ total: count, next: nextCursor, environments: z.array(row) }),
    run: ({ db, query }) => {
      const page = listEnvironments(db, {
        filters: { q: query.q, kinds: query.kind, datasets: query.dataset, states: query.state },
        sort: query.sort,
        direction: query.direction,
        limit: query.limit,
        cursor: cursorOf(query.after),
        before: false,
      });
      return { total: page.total, next: cursorText(page.next), environments: page.rows };
    },
  }),
  operation({
    id: "showEnvironment",
    method: "GET",
    path: "/environments/{id}",
    tag: "environments",
    role: "viewer",
    summary: "An environment with its settings",
    params: idParam,
    response: z.object({
      ...row.shape,
      spec: z.looseObject({}).nullable().describe("instruction, tests, limits; null: it has no files"),
    }),
    run: ({ db, params: { id } }) => {
      const [found] = environmentsByIds(db, [id]);
      if (!found) throw new CallError(404, `There is no environment ${id}.`);
      return { ...found, spec: found.digest === null ? null : (JSON.parse(found.spec) as Record<string, unknown>) };
    },
  }),
];
