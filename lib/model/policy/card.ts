import { z } from "zod";
import type { PolicyConfig } from "./types";

const interval = z.tuple([z.number(), z.number()]);

/** A share with its parts and 95 % interval, all in 0…1. */
export const rateSchema = z.object({ hits: z.number(), of: z.number(), share: z.number(), interval });

export const configSchema: z.ZodType<PolicyConfig> = z.object({
  vocab: z.number().int().positive(),
  dim: z.number().int().positive(),
  layers: z.number().int().positive(),
  heads: z.number().int().positive(),
  hidden: z.number().int().positive(),
  context: z.number().int().positive(),
});

/** What a checkpoint of the embedded policy says about itself: how it was made, from what, and how it learned. */
export const cardSchema = z.object({
  name: z.string(),
  about: z.string(),
  license: z.string(),
  config: configSchema,
  parameters: z.number().int(),
  seed: z.number().int(),
  suiteVersion: z.string(),
  data: z.record(z.string(), z.unknown()),
  training: z.record(z.string(), z.unknown()),
  /** One point every few steps. */
  curve: z.array(z.object({ step: z.number(), loss: z.number(), learningRate: z.number(), gradNorm: z.number() })),
  /** SHA-256 of model.safetensors. */
  weights: z.string(),
  /** What `misstep evaluate` printed for it; absent until it ran. */
  evaluation: z.record(z.string(), z.unknown()).optional(),
});
export type Card = z.infer<typeof cardSchema>;
