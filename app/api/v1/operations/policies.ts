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
  tally,
  time,
  unaidedTally,
} from "@/app/api/v1/schemas";
import {
  CHECKPOINT_SORTS,
  checkpointChildren,
  checkpointMisbehaviors,
  checkpointRow,
  listCheckpoints,
} from "@/db/queries/checkpoints";
import { keyState } from "@/lib/model/chat/keys";
import { ENDPOINT_KINDS, readSettings } from "@/lib/model/chat/settings";

const row = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.string(),
  parentId: z.number().nullable(),
  parent: z.string().nullable(),
  trainingRunId: z.number().nullable(),
  trainingStep: z.number().nullable(),
  createdAt: time,
  ...tally.shape,
  unaided: unaidedTally,
});

export const policyOperations = [
  operation({
    id: "listCheckpoints",
    method: "GET",
    path: "/checkpoints",
    tag: "policies",
    role: "viewer",
    summary: "Checkpoints of policies, imported, trained or behind an endpoint, with their counts",
    query: z.strictObject({
      q: z.string().max(300).default("").describe("part of the name"),
      kind: z.array(z.string()).default([]),
      sort: z.enum(CHECKPOINT_SORTS).default("newest"),
      direction,
      limit: limit(1000),
      after,
    }),
    response: z.object({ total: count, next: nextCursor, checkpoints: z.array(row) }),
    run: ({ db, query: { kind, after: place, ...rest } }) => {
      const page = listCheckpoints(db, { ...rest, kinds: kind, cursor: cursorOf(place), before: false });
      return { total: page.total, next: cursorText(page.next), checkpoints: page.rows };
    },
  }),
  operation({
    id: "showCheckpoint",
    method: "GET",
    path: "/checkpoints/{id}",
    tag: "policies",
    role: "viewer",
    summary: "A checkpoint with its card, its misbehaviors in force and what was trained from it",
    params: idParam,
    response: z.object({
      ...row.shape,
      card: z.looseObject({}),
      misbehaviors: z.array(z.object({ slug: z.string(), name: z.string(), errorSteps: count, trajectories: count })),
      children: z.array(z.object({ id: z.number(), name: z.string(), trainingStep: z.number().nullable() })),
    }),
    run: ({ db, params: { id } }) => {
      const found = checkpointRow(db, id);
      if (!found) throw new CallError(404, `There is no checkpoint ${id}.`);
      return {
        ...found,
        card: JSON.parse(found.card) as Record<string, unknown>,
        misbehaviors: checkpointMisbehaviors(db, id),
        children: checkpointChildren(db, id),
      };
    },
  }),
  operation({
    id: "listModels",
    method: "GET",
    path: "/models",
    tag: "policies",
    role: "viewer",
    summary: "Endpoints, models and roles of the settings; whether a key is there, never the key",
    response: z.object({
      endpoints: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(ENDPOINT_KINDS),
          baseUrl: z.string(),
          concurrency: z.number(),
          key: z.object({ source: z.enum(["environment", "file", "none"]), set: z.boolean() }),
        }),
      ),
      models: z.array(z.object({ name: z.string(), endpoint: z.string(), id: z.string() })),
      roles: z
        .record(z.string(), z.object({ model: z.string() }))
        .describe("roles without an entry are played by rules"),
    }),
    run: () => {
      const { endpoints, models, roles } = readSettings();
      return {
        endpoints: endpoints.map((e) => ({ ...e, key: keyState(e) })),
        models,
        roles: roles as Record<string, { model: string }>,
      };
    },
  }),
];
