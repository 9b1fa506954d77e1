import { z } from "zod";
import { BASE_MIX } from "@/lib/environment/suite/demonstrate";

const share = z.number().min(0).max(1);

/** Probabilities of Mix (lib/environment/suite/demonstrate.ts). */
const mixSchema = z.object({
  skipLook: share,
  shortcut: share,
  blind: share,
  misbehaviors: z.record(z.string(), share),
});

/** Everything that decides what pretraining comes to. Defaults: those of the shipped base checkpoint. */
export const pretrainSettings = z.object({
  /** Name of the checkpoint. */
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, "use small letters, digits, dots and dashes")
    .default("tiny-base"),
  seed: z.number().int().min(0).default(1),
  /** Environments demonstrated, one each, from the pretraining part of the suite. */
  demonstrations: z.number().int().min(1).max(200_000).default(5600),
  mix: mixSchema.default({ ...BASE_MIX, misbehaviors: { ...BASE_MIX.misbehaviors } }),
  model: z
    .object({
      dim: z.number().int().positive().default(128),
      layers: z.number().int().positive().default(4),
      heads: z.number().int().positive().default(4),
      hidden: z.number().int().positive().default(512),
      context: z.number().int().positive().default(384),
    })
    .prefault({}),
  /** How often a pass over the demonstrations shows one that failed: the base has to leave something to learn. */
  failures: z.number().int().min(1).max(10).default(2),
  /** Steps of training; passes over the demonstrations follow each other until then. */
  steps: z.number().int().positive().max(1_000_000).default(1300),
  /** Demonstrations a step. */
  batch: z.number().int().positive().default(32),
  /** Peak; linear warm-up, then a cosine down to a twentieth. */
  learningRate: z.number().positive().default(1.5e-3),
  warmup: z.number().int().min(0).default(60),
});
export type PretrainSettings = z.infer<typeof pretrainSettings>;
