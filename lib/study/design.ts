import { z } from "zod";

const whole = z.number().int();

/** How much of everything a study does. Two are shipped: DESIGNS. */
export const studyDesign = z.object({
  /** Name of the scale: quick, full, or one's own. */
  scale: z.string().min(1).max(32),
  /** Everything drawn comes from it. */
  seed: whole.min(0),
  base: z.string(),
  /** Environments of the profile part and of the held-out part that are profiled, and rollouts of each. */
  profile: z.object({ environments: whole.min(1), heldout: whole.min(1), rollouts: whole.min(1) }),
  prefixes: z.object({
    /** Drawn for a misbehavior, of both parts together. */
    per: whole.min(1),
    /** Reruns a prefix. */
    repeats: whole.min(1),
  }),
  /** The second judge, learned from windows with errors whose truth is known because they were injected. */
  judge: z.object({ prefixes: whole.min(1), samples: whole.min(1) }),
  train: z.object({
    recipes: z.array(z.object({ recipe: z.string(), seeds: z.array(whole.min(0)).min(1) })).min(1),
    steps: whole.min(1),
    group: whole.min(2),
    batch: whole.min(1),
    resample: whole.min(0),
    learningRate: z.number().positive(),
    saveEvery: whole.min(1),
  }),
  /** Checkpoint selection: candidates of a training on environments of their own (paper 4.1). */
  select: z.object({ candidates: whole.min(1), environments: whole.min(1), runs: whole.min(1) }),
  /** Held-out scores. Base and the first seed of each recipe in `deep` get `deepRuns` (pass@k up to it), all others `runs`. */
  scores: z.object({
    environments: whole.min(1),
    runs: whole.min(1),
    deepRuns: whole.min(1),
    deep: z.array(z.string()),
  }),
  /** Misbehavior rates on unseen prefixes; `outcome`: samples go on to the end of the rollout, so that it is also known whether they pass. */
  rates: z.object({
    prefixes: whole.min(1),
    samples: whole.min(1),
    fewest: whole.min(1),
    outcome: z.boolean().default(false),
  }),
});
export type StudyDesign = z.infer<typeof studyDesign>;

const RECIPES = (seeds: number[]) => [
  { recipe: "mirl", seeds },
  { recipe: "outcome-prefix", seeds },
  { recipe: "outcome-random", seeds },
  { recipe: "outcome-env", seeds: [1] },
  { recipe: "pivotrl", seeds: [1] },
  { recipe: "rar+", seeds: [1] },
];

/** quick: at most 15 minutes on two idle cores; full: at most two hours. */
export const DESIGNS: Record<"quick" | "full", StudyDesign> = {
  quick: {
    scale: "quick",
    seed: 1,
    base: "tiny-base",
    profile: { environments: 42, heldout: 42, rollouts: 2 },
    prefixes: { per: 16, repeats: 1 },
    judge: { prefixes: 8, samples: 2 },
    train: { recipes: RECIPES([1]), steps: 4, group: 8, batch: 4, resample: 0, learningRate: 3e-4, saveEvery: 2 },
    select: { candidates: 2, environments: 14, runs: 1 },
    scores: { environments: 14, runs: 2, deepRuns: 2, deep: [] },
    rates: { prefixes: 4, samples: 3, fewest: 2, outcome: true },
  },
  full: {
    scale: "full",
    seed: 1,
    base: "tiny-base",
    profile: { environments: 200, heldout: 200, rollouts: 2 },
    prefixes: { per: 32, repeats: 2 },
    judge: { prefixes: 16, samples: 4 },
    train: {
      recipes: RECIPES([1, 2, 3]),
      steps: 30,
      group: 8,
      batch: 6,
      resample: 0,
      learningRate: 3e-4,
      saveEvery: 6,
    },
    select: { candidates: 2, environments: 32, runs: 1 },
    scores: { environments: 48, runs: 4, deepRuns: 16, deep: ["mirl", "outcome-random"] },
    rates: { prefixes: 14, samples: 3, fewest: 4, outcome: true },
  },
};

/** Environments of the held-out part, by their place in it: each phase has its own, so that none sees another's. */
export const HELDOUT = {
  /** Profiled for unseen prefixes. */
  profile: 0,
  /** Checkpoints are chosen on these. */
  select: 10_000,
  /** Scores are measured on these. */
  scores: 20_000,
} as const;
