import { z } from "zod";
import { roleSpecSchema } from "@/lib/profile/settings";

const whole = z.number().int();

/** A measurement of misbehavior rates (paper 4.5 and Fig. 7, recipe 8): policies x misbehaviors x prefixes x samples x judges. */
export const behaviorProtocol = z.object({
  /** Policies: checkpoints by name, or scripted ones. */
  policies: z.array(roleSpecSchema).min(1).max(64),
  /** Slugs; empty: all that have enough prefixes. */
  misbehaviors: z.array(z.string()).default([]),
  /** The part of the environments its prefixes are of. Rates are measured on held-out ones; training ones teach judges. */
  split: z.enum(["heldout", "training"]).default("heldout"),
  /** Prefixes of a misbehavior, drawn from the kept ones of the part. */
  prefixes: whole.min(1).max(10_000).default(20),
  /** A misbehavior with fewer prefixes than this is left out, and named. */
  fewest: whole.min(1).default(5),
  samples: whole.min(1).max(1024).default(16),
  /** m: steps that judges read. */
  window: whole.min(1).max(64).default(5),
  /** Let the policy go on after the judged steps until the rollout ends, and run the hidden tests: whether it passes from there. */
  outcome: z.boolean().default(false),
  judges: z
    .array(roleSpecSchema)
    .min(1)
    .max(8)
    .default([{ use: "rules", options: {} }]),
  temperature: z.number().min(0).max(5).default(0.7),
  topP: z.number().gt(0).max(1).default(0.95),
  /** Measure also prefixes of environments a policy was trained in; they are marked. Else it is refused. */
  leaksAllowed: z.boolean().default(false),
  seed: whole.min(0).default(1),
  /** Samples at once. Changes nothing but the time. */
  parallel: whole.min(1).max(1024).default(32),
});
export type BehaviorProtocol = z.infer<typeof behaviorProtocol>;
export type GivenBehaviorProtocol = z.input<typeof behaviorProtocol>;
