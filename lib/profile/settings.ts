import { z } from "zod";

/**
 * profile: flagged steps are corrected by the teacher (paper 3.2) | plain: nobody interferes, flagged steps run |
 * catch: a scripted policy acts, errors are injected at known steps and run, the localizer's verdicts are compared.
 */
export const PROFILE_MODES = ["profile", "plain", "catch"] as const;
export type ProfileMode = (typeof PROFILE_MODES)[number];

/** Named sets of limits and format-error handling (recipe 2). */
export const PRESET_NAMES = ["paper", "training", "evaluation"] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** A role by the name it has in the registry, with what that implementation takes. */
export const roleSpecSchema = z.preprocess(
  (given) => (typeof given === "string" ? { use: given } : given),
  z.object({ use: z.string().min(1), options: z.record(z.string(), z.json()).default({}) }),
);
export type RoleSpec = z.infer<typeof roleSpecSchema>;

/** Which environments: `count` of a part of the tiny suite from its place `from` on, or stored ones by id. */
const environments = z.union([
  z.object({
    suite: z.literal("tiny"),
    part: z.enum(["profile", "heldout", "pretrain"]).default("profile"),
    count: z.number().int().min(1).max(100_000),
    from: z.number().int().min(0).max(1_000_000).default(0),
  }),
  z.object({ ids: z.array(z.number().int().positive()).min(1) }),
]);

export const DEFAULT_PARALLEL = 24;
/** Steps of a rollout when the settings do not say: recipe 2; the tiny suite's tasks need fewer than five. */
export const STEP_LIMIT = { tiny: 10, other: 64 } as const;
/** Seconds a command may run when the settings do not say (recipe 2: 120). */
export const COMMAND_SECONDS = { tiny: 20, other: 120 } as const;

/** What a profiling run is made with. Stored with it; the same settings give the same contents. */
export const profileSettings = z
  .object({
    mode: z.enum(PROFILE_MODES).default("profile"),
    environments,
    /** Rollouts an environment. */
    rollouts: z.number().int().min(1).max(1000).default(2),
    policy: roleSpecSchema,
    /** null: nobody judges (plain only). */
    localizer: roleSpecSchema.nullable().default({ use: "rules", options: {} }),
    teacher: roleSpecSchema.nullable().default({ use: "expert", options: {} }),
    /** Localizers that judge the same steps: their verdicts are kept, only `localizer` acts. */
    alongside: z.array(roleSpecSchema).max(8).default([]),
    temperature: z.number().min(0).max(5).default(1),
    topP: z.number().gt(0).max(1).default(1),
    /** Proposals of the policy at most; null: STEP_LIMIT. */
    stepLimit: z.number().int().min(1).max(10_000).nullable().default(null),
    /** Seconds a command may run; null: COMMAND_SECONDS. */
    commandSeconds: z.number().min(1).max(3600).nullable().default(null),
    /** Tries of the teacher before a rollout is discarded. */
    tries: z.number().int().min(1).max(10).default(3),
    /** Hidden tests also run on the state at the limit (paper text); false: the outcome is then 0 (the training fork). */
    testsAtLimit: z.boolean().default(true),
    /** More replies without a command in a row end the rollout (0: the first does); null: none do. */
    formatErrorsInARow: z.number().int().min(0).max(10_000).nullable().default(null),
    /** Name of the preset that filled in what was not given (policies/presets.ts); null: none. */
    preset: z.enum(PRESET_NAMES).nullable().default(null),
    /** Share of the steps of a catch trial at which an error is injected, where one is at hand. */
    injectShare: z.number().min(0).max(1).default(0.4),
    seed: z.number().int().min(0).default(1),
    /** Rollouts at once. Changes nothing but the time. */
    parallel: z.number().int().min(1).max(1024).default(DEFAULT_PARALLEL),
  })
  .superRefine((s, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (s.mode !== "plain" && s.localizer === null) fault("localizer", `mode ${s.mode} needs a localizer`);
    if (s.mode === "profile" && s.teacher === null) fault("teacher", "mode profile needs a teacher");
    if (s.localizer === null && s.alongside.length > 0) fault("alongside", "needs a localizer that it stands beside");
    const judges = [s.localizer, ...s.alongside].map((judge) => JSON.stringify(judge));
    if (new Set(judges).size < judges.length) fault("alongside", "names a localizer twice");
  });
export type ProfileSettings = z.infer<typeof profileSettings>;
/** Settings as they may be given, with what has a default left out. */
export type GivenSettings = z.input<typeof profileSettings>;
