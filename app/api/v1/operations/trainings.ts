import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { BadInput } from "@/app/api/v1/refusals";
import { before, count, idParam, limit, nextId, pageById, place, queued, share, time } from "@/app/api/v1/schemas";
import type { Db } from "@/db/client";
import { listTrainings, trainingRow, trainingSteps } from "@/db/queries/trainings";
import { dryTraining, enqueueTraining, type NewTraining } from "@/lib/jobs/trainJob";
import { checkTrainSettings } from "@/lib/train/check";
import { allRecipes, findRecipe } from "@/lib/train/ownRecipes";
import { stepMetrics } from "@/lib/train/run/metrics";
import type { TrainSettings } from "@/lib/train/settings";

const row = z.object({
  id: z.number(),
  name: z.string(),
  recipe: z.string(),
  seed: z.number(),
  baseId: z.number().nullable(),
  base: z.string().nullable(),
  policyId: z.number().nullable(),
  jobId: z.number().nullable(),
  jobStatus: z.string().nullable(),
  steps: count.describe("steps that are in the index"),
  reward: share.describe("mean over the last ten steps, as the next two"),
  outcomeReward: share,
  behaviorReward: share,
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const wanted = z.strictObject({
  recipe: z.string().min(1).max(100).default("mirl").describe("shipped, or of your own"),
  settings: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("over those of the recipe; GET /recipes shows them whole"),
});

/** A training that would be queued. */
const named = z.strictObject({ ...wanted.shape, name: z.string().trim().min(1).max(48).optional(), place });

const asked = (db: Db, { name, place: where, ...rest }: z.output<typeof named>, requestedBy: string): NewTraining => ({
  ...(name === undefined ? {} : { name }),
  settings: settingsOf(db, rest),
  place: where,
  requestedBy,
});

/** The recipe's settings under those that are given. Throws CallError and BadInput. */
function settingsOf(db: Db, { recipe: name, settings }: z.output<typeof wanted>): TrainSettings {
  const recipe = findRecipe(db, name);
  if (!recipe)
    throw new CallError(
      404,
      `There is no recipe "${name}"; there are ${allRecipes(db)
        .map((r) => r.name)
        .join(", ")}.`,
    );
  const read = checkTrainSettings({ ...recipe.settings, recipe: name, ...settings });
  if (!read.ok)
    throw new BadInput(
      read.issues.map(({ path, message }) => ({ path: ["body.settings", path].filter(Boolean).join("."), message })),
    );
  return read.settings;
}

function trainingOf(db: Db, id: number) {
  const found = trainingRow(db, id);
  if (!found) throw new CallError(404, `There is no training ${id}.`);
  return found;
}

const span = z.object({ least: z.number(), most: z.number() });

export const trainingOperations = [
  operation({
    id: "listRecipes",
    method: "GET",
    path: "/recipes",
    tag: "trainings",
    role: "viewer",
    summary: "Recipes of trainings, shipped and of your own, with all their settings",
    response: z.object({
      recipes: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          about: z.string(),
          basedOn: z.string().nullable().describe("null: shipped"),
          settings: z.looseObject({}),
        }),
      ),
    }),
    run: ({ db }) => ({ recipes: allRecipes(db).map((r) => ({ ...r, settings: { ...r.settings } })) }),
  }),
  operation({
    id: "listTrainings",
    method: "GET",
    path: "/trainings",
    tag: "trainings",
    role: "viewer",
    summary: "Trainings, newest first",
    query: z.strictObject({ limit: limit(1000), before }),
    response: z.object({ next: nextId, trainings: z.array(row) }),
    run: ({ db, query }) => {
      const { rows, next } = pageById(
        listTrainings(db, { limit: query.limit + 1, ...(query.before === undefined ? {} : { before: query.before }) }),
        query.limit,
      );
      return { next, trainings: rows };
    },
  }),
  operation({
    id: "showTraining",
    method: "GET",
    path: "/trainings/{id}",
    tag: "trainings",
    role: "viewer",
    summary: "A training with its settings",
    params: idParam,
    response: z.object({ ...row.shape, settings: z.unknown() }),
    run: ({ db, params: { id } }) => trainingOf(db, id),
  }),
  operation({
    id: "trainingCurve",
    method: "GET",
    path: "/trainings/{id}/curve",
    tag: "trainings",
    role: "viewer",
    summary: "Every step of a training: rewards, dead groups, entropy, times, and the checkpoint kept after it",
    params: idParam,
    response: z.object({
      steps: z.array(
        z.object({
          step: count,
          checkpointId: z.number().nullable(),
          checkpoint: z.string().nullable(),
          metrics: stepMetrics,
        }),
      ),
    }),
    run: ({ db, params: { id } }) => {
      trainingOf(db, id);
      return {
        steps: trainingSteps(db, id).map(({ metrics, ...step }) => ({ ...step, metrics: stepMetrics.parse(metrics) })),
      };
    },
  }),
  operation({
    id: "dryRunTraining",
    method: "POST",
    path: "/trainings/dry-run",
    tag: "trainings",
    role: "admin",
    summary: "Groups, rollouts and time a training would take; nothing is queued",
    body: named,
    response: z.object({
      starts: z.object({ kind: z.enum(["prefix", "task", "pivot"]), count }),
      groups: span,
      rollouts: span,
      expectedMs: span.nullable().describe("by the pace of trainings that ran before; null: there is none"),
      paceOf: z
        .enum(["here", "study"])
        .nullable()
        .describe("whose pace that is: of trainings here, or of the study that was loaded"),
    }),
    run: ({ db, actor, body }) => dryTraining(db, asked(db, body, actor.name)),
  }),
  operation({
    id: "startTraining",
    method: "POST",
    path: "/trainings",
    tag: "trainings",
    role: "admin",
    summary: "Queue a training of the embedded policy",
    body: named,
    status: 202,
    response: z.object({ ...queued.shape, trainingId: z.number(), name: z.string() }),
    run: ({ db, actor, body }) => {
      const made = enqueueTraining(db, asked(db, body, actor.name));
      return { trainingId: made.runId, jobId: made.jobId, name: made.name };
    },
  }),
];
