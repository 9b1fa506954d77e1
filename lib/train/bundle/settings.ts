import { z } from "zod";
import { trainSettings } from "@/lib/train/settings";

const whole = z.number().int();

/** Formats of a bundle: which trainer reads it. */
export const BUNDLE_FORMATS = ["open-instruct", "verl"] as const;

/**
 * What the paper trains at (recipe.md 2 and 12.0). The defaults of trainSettings are those of the small embedded policy,
 * at which a large model would come to harm.
 */
export const PAPER_SCALE = { group: 16, batch: 8, steps: 160, learningRate: 1e-6 } as const;

/** Everything that decides the bytes of a bundle, besides the index. */
export const bundleSettings = z.object({
  train: trainSettings,
  format: z.enum(BUNDLE_FORMATS).default("open-instruct"),
  /** What is trained: a folder or a name that the trainer resolves. */
  model: z.string().min(1).max(200).default("hamishivi/Qwen3.5-4B"),
  /** Graphics processors of the one node: learners and inference engines. */
  learners: whole.min(1).max(64).default(4),
  engines: whole.min(1).max(64).default(4),
  /** Leaves out what the containers are built from: rows and manifest then name it by digest alone. */
  withoutImages: z.boolean().default(false),
});
export type BundleSettings = z.infer<typeof bundleSettings>;
export type GivenBundleSettings = z.input<typeof bundleSettings>;

/** These settings cannot be had from that trainer. The message says which and why. */
export class BundleRefused extends Error {}

/** Throws BundleRefused where the trainer would do something else than these settings say. */
export function checkBundle({ train }: BundleSettings): void {
  const { start, reward, loss, updates, recipe } = train;
  if (start.kind === "pivot")
    throw new BundleRefused(
      `${recipe}: one-step updates at pivots need the recorded action and an equivalence judge in place of hidden tests, and the trainer's rollouts cannot be cut after one step without ending them unpaid; train it here`,
    );
  if (reward.kind === "equivalence") throw new BundleRefused("rewards by equivalence are not part of a bundle");
  if (reward.kind === "rubric")
    throw new BundleRefused(
      `${recipe}: the rubric is written and rated by models while it trains, and the environment package asks a behavior judge only; train it here`,
    );
  if (reward.kind === "outcome-and-behavior" && start.kind !== "prefix")
    throw new BundleRefused("r_o AND r_e judges the steps after a prefix: start at prefixes");
  if (loss.kind !== "dppo")
    throw new BundleRefused("the bundle is written for DPPO; the flags of other losses are not known at that commit");
  if (updates !== 1)
    throw new BundleRefused("several updates a step: the trainer's flag for it is not known at that commit");
}
