import { z } from "zod";
import { BASE_CHECKPOINT } from "@/lib/model/policy/names";
import { ADVANTAGES } from "./rl/advantages";
import { DIVERGENCES } from "./rl/divergence";
import { DENOMINATORS } from "./rl/loss";

const share = z.number().min(0).max(1);
const whole = z.number().int();

/** A role by the name it has in a registry, with what that implementation takes. */
const spec = z.preprocess(
  (given) => (typeof given === "string" ? { use: given } : given),
  z.object({ use: z.string().min(1), options: z.record(z.string(), z.json()).default({}) }),
);

/** Which kept prefixes. Without ids: all kept ones of the training split, of the draw and the misbehaviors named. */
const prefixes = z.object({
  ids: z.array(whole.positive()).optional(),
  drawId: whole.positive().optional(),
  /** Slugs; empty: all. */
  misbehaviors: z.array(z.string()).default([]),
});

/**
 * Where rollouts start. prefix: at the state before an error step, replayed and verified | environments: at the task, in
 * the environments those prefixes are of | suite: at the task, in environments of the tiny suite from its profile part |
 * pivot: one step at accepted steps of a profile (recipe 4).
 */
const start = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("prefix"), prefixes: prefixes.prefault({}) }),
  z.object({ kind: z.literal("environments"), prefixes: prefixes.prefault({}) }),
  z.object({ kind: z.literal("suite"), count: whole.min(1).max(100_000), from: whole.min(0).default(0) }),
  z.object({
    kind: z.literal("pivot"),
    profileId: whole.positive(),
    candidates: whole.min(1).max(100_000).default(300),
    /** Actions sampled for a candidate; it becomes a pivot when their rewards differ. */
    actions: whole.min(2).max(64).default(8),
  }),
]);

/**
 * What a rollout is paid. outcome: r_o of the hidden tests | outcome-and-behavior: r_o AND r_e, r_e = 1 when the behavior
 * judge does not find the prefix's misbehavior in the first `window` steps | rubric: w·r_o + (1 - w)·(rating - 1)/9
 * (recipe 5) | equivalence: 1 when the action does what the recorded one did (recipe 4).
 */
const reward = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("outcome") }),
  z.object({
    kind: z.literal("outcome-and-behavior"),
    judge: spec.default({ use: "rules", options: {} }),
    window: whole.min(1).max(64).default(5),
    /** Saves calls where the reward is 0 anyway, and costs the statistic of r_e. */
    skipJudgeWhenFailed: z.boolean().default(false),
  }),
  z.object({
    kind: z.literal("rubric"),
    writer: spec.default({ use: "rules", options: {} }),
    judge: spec.default({ use: "rules", options: {} }),
  }),
  z.object({
    kind: z.literal("equivalence"),
    judge: spec.default({ use: "rules", options: {} }),
    /** Texts at least this similar are alike without a judge. */
    similar: share.default(0.95),
  }),
]);

const loss = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("dppo"),
    divergence: z.enum(DIVERGENCES).default("tv"),
    threshold: z.number().positive(),
  }),
  z.object({ kind: z.literal("ppo"), clipLow: share.default(0.2), clipHigh: z.number().min(0).max(10).default(0.2) }),
]);

/**
 * Everything that decides what a training comes to; the same settings give the same weights (recipe 1, 10, 13). Rollouts
 * are sampled at temperature 1, which the probabilities in the loss are of.
 */
export const trainSettings = z.object({
  /** Name of the recipe it was made from, or of a person's own. */
  recipe: z.string().min(1).max(64),
  base: z.string().default(BASE_CHECKPOINT),
  start,
  reward,
  /** Rollouts of a start: a group. */
  group: whole.min(2).max(256).default(8),
  /** Groups of a step. */
  batch: whole.min(1).max(256).default(4),
  steps: whole.min(1).max(100_000).default(60),
  /** How often groups without spread are replaced by others within a step. 0: never. */
  resample: whole.min(0).max(20).default(2),
  advantage: z.enum(ADVANTAGES).default("centered"),
  denominator: z.enum(DENOMINATORS).default("token"),
  /** Length of the constant denominator, in tokens. */
  constant: z.number().positive().default(256),
  loss: loss.default({ kind: "dppo", divergence: "tv", threshold: 0.1 }),
  /** Optimiser steps an RL step is cut into; from the second on, rollouts are off-policy. */
  updates: whole.min(1).max(64).default(1),
  learningRate: z.number().min(0).max(1).default(1e-4),
  /** Steps over which the learning rate rises; then it is constant. */
  warmup: whole.min(0).default(4),
  /** Proposals at most, in all; null: 10 in the tiny suite, 64 elsewhere. */
  stepLimit: whole.min(1).max(10_000).nullable().default(null),
  /** Steps of the prefix count against the limit, as in the harness. */
  prefixCounts: z.boolean().default(true),
  /** Hidden tests also run on the state at the limit (paper text); false: r_o is then 0 (the training fork). */
  testsAtLimit: z.boolean().default(true),
  /** feedback: a reply without a command is answered and the rollout goes on | end: it ends there. */
  formatErrors: z.enum(["feedback", "end"]).default("feedback"),
  commandSeconds: z.number().min(1).max(3600).nullable().default(null),
  /** A checkpoint is kept every so many steps, and the last. */
  saveEvery: whole.min(1).default(20),
  seed: whole.min(0).default(1),
  /** Rollouts at once. Changes nothing but the time. */
  parallel: whole.min(1).max(1024).default(32),
});
export type TrainSettings = z.infer<typeof trainSettings>;
export type GivenTrainSettings = z.input<typeof trainSettings>;

/** Learning rate of a step, counted from 1: a linear rise, then constant. */
export const learningRateAt = ({ learningRate, warmup }: TrainSettings, step: number): number =>
  learningRate * (warmup === 0 ? 1 : Math.min(1, step / warmup));
