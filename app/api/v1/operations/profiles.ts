import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import {
  before,
  count,
  idParam,
  limit,
  nextId,
  pageById,
  place,
  queued,
  roleName,
  rowId,
  time,
} from "@/app/api/v1/schemas";
import { listProfiles, profileSummary } from "@/db/queries/profiles";
import { enqueueLocalize } from "@/lib/jobs/localizeJob";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { enqueue } from "@/lib/jobs/queue";
import { policySpec, roleSpec } from "@/lib/profile/roles/registry";
import { RULES_VERSION } from "@/lib/profile/rules";
import { profileSettings } from "@/lib/profile/settings";

const row = z.object({
  id: z.number(),
  name: z.string(),
  mode: z.string(),
  seed: z.number(),
  checkpointId: z.number(),
  checkpoint: z.string(),
  jobId: z.number(),
  jobStatus: z.string().nullable(),
  planned: count,
  environments: count,
  finished: count,
  discarded: count,
  void: count,
  steps: count,
  errorSteps: count,
  formatErrors: count,
  corrections: count,
  scored: count,
  passed: count,
  submitted: count,
  tokens: z.number().nullable(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const of = profileSettings.shape;
/** Settings without their defaults: what is not given, a preset may fill in; the defaults are the service's. */
const settings = {
  mode: of.mode.unwrap().optional(),
  environments: of.environments,
  rollouts: of.rollouts.unwrap().optional(),
  temperature: of.temperature.unwrap().optional(),
  topP: of.topP.unwrap().optional(),
  stepLimit: of.stepLimit.unwrap().optional(),
  commandSeconds: of.commandSeconds.unwrap().optional(),
  tries: of.tries.unwrap().optional(),
  testsAtLimit: of.testsAtLimit.unwrap().optional(),
  formatErrorsInARow: of.formatErrorsInARow.unwrap().optional(),
  preset: of.preset.unwrap().optional(),
  injectShare: of.injectShare.unwrap().optional(),
  seed: of.seed.unwrap().optional(),
  parallel: of.parallel.unwrap().optional(),
};

/** Without what was not given. */
const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T as undefined extends T[K] ? never : K]: T[K];
  } & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

export const profileOperations = [
  operation({
    id: "listProfiles",
    method: "GET",
    path: "/profiles",
    tag: "profiles",
    role: "viewer",
    summary: "Profiling runs, newest first",
    query: z.strictObject({ limit: limit(1000), before }),
    response: z.object({ next: nextId, profiles: z.array(row) }),
    run: ({ db, query }) => {
      const { rows, next } = pageById(
        listProfiles(db, { limit: query.limit + 1, ...(query.before === undefined ? {} : { before: query.before }) }),
        query.limit,
      );
      return { next, profiles: rows };
    },
  }),
  operation({
    id: "showProfile",
    method: "GET",
    path: "/profiles/{id}",
    tag: "profiles",
    role: "viewer",
    summary: "What a profile came to",
    params: idParam,
    response: z.object({
      ...row.shape,
      settings: z.unknown(),
      types: z.array(
        z.object({
          errorTypeId: z.number(),
          slug: z.string(),
          name: z.string(),
          errorSteps: count,
          rollouts: count,
          environments: count,
        }),
      ),
      untyped: count,
      accepted: z.array(z.object({ attempt: z.number(), corrections: count })),
      uncorrected: count,
      unjudged: count,
      voids: z.array(z.object({ reason: z.string(), rollouts: count })),
      durationMs: z.number(),
    }),
    run: ({ db, params: { id } }) => {
      const found = profileSummary(db, id);
      if (!found) throw new CallError(404, `There is no profile ${id}.`);
      return found;
    },
  }),
  operation({
    id: "startProfile",
    method: "POST",
    path: "/profiles",
    tag: "profiles",
    role: "admin",
    summary: "Queue a profile: a policy acts in sandboxes under a localizer and a teacher",
    body: z.strictObject({
      name: z.string().trim().min(1).max(200).optional(),
      place,
      ...settings,
      policy: roleName.describe("a checkpoint, a scripted policy, or chat:NAME for a model of the settings"),
      localizer: roleName
        .nullable()
        .default("rules")
        .describe("rules, or model:NAME; null: nobody judges (mode plain)"),
      teacher: roleName.nullable().default("expert").describe("expert, or model:NAME"),
      alongside: z
        .array(roleName)
        .max(8)
        .default([])
        .describe("localizers that judge the same steps and change nothing"),
    }),
    status: 202,
    response: z.object({ ...queued.shape, profileId: z.number() }),
    run: ({ db, actor, body: { name, place: where, policy, localizer, teacher, alongside, ...rest } }) =>
      enqueueProfile(db, {
        ...(name === undefined ? {} : { name }),
        settings: {
          ...given(rest),
          policy: policySpec(policy),
          localizer: localizer === null ? null : roleSpec(localizer),
          teacher: teacher === null ? null : roleSpec(teacher),
          alongside: alongside.map(roleSpec),
        },
        place: where,
        requestedBy: actor.name,
      }),
  }),
  operation({
    id: "localize",
    method: "POST",
    path: "/localize",
    tag: "profiles",
    role: "admin",
    summary: "Queue the localization of stored trajectories by a model, each step from what its agent had seen",
    body: z.strictObject({
      scope: z.union([
        z.strictObject({ ids: z.array(rowId).min(1).max(100_000) }),
        z.strictObject({ model: z.string().min(1).max(300) }),
        z.strictObject({ all: z.literal(true) }),
      ]),
      localizer: roleName.default("model").describe("model:NAME of the model settings"),
      sample: z.number().int().min(1).nullable().default(null).describe("only so many, drawn by the seed"),
      seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
      parallel: z.number().int().min(1).max(1024).default(16).describe("steps that are asked about at once"),
    }),
    status: 202,
    response: z.object({ ...queued.shape, trajectories: count, steps: count }),
    run: ({ db, actor, body: { localizer, ...rest } }) =>
      enqueueLocalize(db, { ...rest, localizer: roleSpec(localizer), requestedBy: actor.name }),
  }),
  operation({
    id: "scan",
    method: "POST",
    path: "/scan",
    tag: "profiles",
    role: "admin",
    summary: "Queue the rules over stored trajectories: those an older set scanned, or all",
    body: z.strictObject({ scope: z.enum(["outdated", "all"]).default("outdated") }),
    status: 202,
    response: z.object({ ...queued.shape, rules: z.string() }),
    run: ({ db, actor, body: { scope } }) => ({
      jobId: enqueue(db, {
        kind: "scan",
        title: `Scan with rules ${RULES_VERSION}`,
        params: { scope },
        requestedBy: actor.name,
      }),
      rules: RULES_VERSION,
    }),
  }),
];
