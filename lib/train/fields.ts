import type { Field } from "./field";

const choices = (...options: [value: string, label: string][]) => ({
  kind: "choice" as const,
  options: options.map(([value, label]) => ({ value, label })),
});
const whole = { kind: "whole" } as const;
const number = { kind: "number" } as const;
const startIs = (...is: string[]) => ({ path: "start.kind", is });
const rewardIs = (...is: string[]) => ({ path: "reward.kind", is });
const lossIs = (...is: string[]) => ({ path: "loss.kind", is });
const ROLE = { kind: "role", roles: "rules, model, or model:NAME of the model settings" } as const;

/** Every setting, by what it is about. Policy, misbehaviors and the recipe's name have their own place in the form. */
export const FIELD_GROUPS: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: "Start",
    fields: [
      {
        path: "start.kind",
        label: "Rollouts start",
        about:
          "Where a rollout begins: at the state before an error step, at a task, or at one turn of a recorded rollout.",
        input: choices(
          ["prefix", "at misbehavior prefixes"],
          ["environments", "at the task, in the prefixes’ environments"],
          ["suite", "at the task, in environments of the suite"],
          ["pivot", "at single turns (PivotRL)"],
        ),
      },
      {
        path: "start.prefixes.ids",
        label: "Prefixes",
        about: "Only these prefixes, by number. They must be kept and of the training split.",
        input: { kind: "ids", empty: "all kept ones" },
        when: startIs("prefix", "environments"),
      },
      {
        path: "start.prefixes.drawId",
        label: "Draw",
        about: "Only prefixes of this draw, by its number.",
        input: { kind: "whole", optional: true, empty: "all draws" },
        when: startIs("prefix", "environments"),
      },
      {
        path: "start.count",
        label: "Environments",
        about: "How many environments of the suite are used.",
        input: whole,
        when: startIs("suite"),
      },
      {
        path: "start.from",
        label: "From number",
        about: "Number of the first of them; they are taken in order without a look at errors.",
        input: whole,
        when: startIs("suite"),
      },
      {
        path: "start.profileId",
        label: "Profile",
        about: "Number of the profile whose passed rollouts give the turns.",
        input: whole,
        when: startIs("pivot"),
      },
      {
        path: "start.candidates",
        label: "Candidates",
        about: "How many of its turns are tried out first.",
        input: whole,
        when: startIs("pivot"),
      },
      {
        path: "start.actions",
        label: "Actions a candidate",
        about: "Actions sampled for a candidate; it is kept as a pivot when their rewards differ.",
        input: whole,
        when: startIs("pivot"),
      },
    ],
  },
  {
    title: "Reward",
    fields: [
      {
        path: "reward.kind",
        label: "A rollout is paid",
        about: "What its reward is made of. Infrastructure failures and missing verdicts are never a reward of 0.",
        input: choices(
          ["outcome-and-behavior", "r_o AND r_e: tests and behavior"],
          ["outcome", "r_o: the tests alone"],
          ["rubric", "tests and a rubric (RaR+)"],
          ["equivalence", "doing what the accepted action did (PivotRL)"],
        ),
      },
      {
        path: "reward.judge",
        label: "Judge",
        about:
          "Who says whether the misbehavior came back, how a rollout rates, or whether two actions are equivalent.",
        input: ROLE,
        when: rewardIs("outcome-and-behavior", "rubric", "equivalence"),
      },
      {
        path: "reward.writer",
        label: "Rubric writer",
        about: "Who writes the rubric of an environment, once, from its task, solution and tests.",
        input: ROLE,
        when: rewardIs("rubric"),
      },
      {
        path: "reward.window",
        label: "Steps that are judged",
        about: "The misbehavior is looked for in this many steps after the prefix.",
        input: whole,
        when: rewardIs("outcome-and-behavior"),
      },
      {
        path: "reward.skipJudgeWhenFailed",
        label: "Skip the judge when the tests fail",
        about: "Saves calls where the reward is 0 anyway, and costs the statistic of clean failures.",
        input: { kind: "switch" },
        when: rewardIs("outcome-and-behavior"),
      },
      {
        path: "reward.similar",
        label: "Alike from",
        about: "Commands at least this similar (difflib ratio, 0 to 1) are alike without a judge.",
        input: number,
        when: rewardIs("equivalence"),
      },
    ],
  },
  {
    title: "Groups",
    fields: [
      {
        path: "group",
        label: "Rollouts a group",
        about: "Rollouts of one start, compared with each other.",
        input: whole,
      },
      { path: "batch", label: "Groups a step", about: "Starts drawn for one step.", input: whole },
      {
        path: "resample",
        label: "Replacements",
        about: "How often groups without spread are replaced by others within a step; 0: never.",
        input: whole,
      },
      {
        path: "advantage",
        label: "Advantage",
        about: "How rewards of a group become advantages.",
        input: choices(
          ["centered", "r − mean (Dr. GRPO)"],
          ["standard", "(r − mean) / deviation (GRPO)"],
          ["maxrl", "(r − mean) / mean (maxRL)"],
        ),
      },
    ],
  },
  {
    title: "Loss",
    fields: [
      {
        path: "loss.kind",
        label: "Loss",
        about: "DPPO leaves out tokens that moved too far from the policy that sampled them; PPO clips their ratio.",
        input: choices(["dppo", "DPPO"], ["ppo", "PPO / GRPO clip"]),
      },
      {
        path: "loss.divergence",
        label: "Divergence",
        about: "How far a token has moved: total variation or Kullback-Leibler of its probability.",
        input: choices(["tv", "binary TV"], ["kl", "binary KL"]),
        when: lossIs("dppo"),
      },
      {
        path: "loss.threshold",
        label: "Threshold",
        about:
          "Tokens further out than this that would move on outwards are left out (TMax: TV 0.1; paper: TV 0.15, KL 0.05).",
        input: number,
        when: lossIs("dppo"),
      },
      {
        path: "loss.clipLow",
        label: "Clip below",
        about: "Ratios count down to 1 minus this.",
        input: number,
        when: lossIs("ppo"),
      },
      {
        path: "loss.clipHigh",
        label: "Clip above",
        about: "Ratios count up to 1 plus this (DAPO: 0.28).",
        input: number,
        when: lossIs("ppo"),
      },
      {
        path: "denominator",
        label: "Denominator",
        about: "What the loss is divided by.",
        input: choices(
          ["token", "all trained tokens (DAPO)"],
          ["sequence", "each rollout’s own tokens (GRPO)"],
          ["constant", "a constant length (Dr. GRPO)"],
        ),
      },
      {
        path: "constant",
        label: "Constant length",
        about: "Tokens of the constant denominator.",
        input: number,
        when: { path: "denominator", is: ["constant"] },
      },
    ],
  },
  {
    title: "Optimiser",
    fields: [
      { path: "learningRate", label: "Learning rate", about: "Of AdamW, after the warm-up.", input: number },
      { path: "warmup", label: "Warm-up", about: "Steps over which the learning rate rises.", input: whole },
      {
        path: "updates",
        label: "Updates a step",
        about: "Optimiser steps that a step’s groups are dealt out to; from the second on, rollouts are off-policy.",
        input: whole,
      },
    ],
  },
  {
    title: "Limits",
    fields: [
      {
        path: "stepLimit",
        label: "Step limit",
        about: "Proposals of a rollout at most.",
        input: { kind: "whole", nullable: true, empty: "10 in the suite, 64 elsewhere" },
      },
      {
        path: "prefixCounts",
        label: "The prefix counts",
        about: "Steps of the prefix count against the limit, as in the harness.",
        input: { kind: "switch" },
      },
      {
        path: "testsAtLimit",
        label: "Tests at the limit",
        about: "The hidden tests also run where the limit ended a rollout (paper); off: its r_o is 0 (training fork).",
        input: { kind: "switch" },
      },
      {
        path: "formatErrors",
        label: "A reply without a command",
        about: "What becomes of the rollout.",
        input: choices(["feedback", "is answered, and it goes on"], ["end", "ends it"]),
      },
      {
        path: "commandSeconds",
        label: "Seconds a command",
        about: "A command is stopped after this time.",
        input: { kind: "number", nullable: true, empty: "by the kind of environment" },
      },
    ],
  },
  {
    title: "Length and saving",
    fields: [
      { path: "steps", label: "Steps", about: "Steps of the training.", input: whole },
      {
        path: "saveEvery",
        label: "Keep every",
        about: "A checkpoint is kept every so many steps, and the last.",
        input: whole,
      },
      {
        path: "seed",
        label: "Seed",
        about: "Everything drawn comes from it: the same settings give the same weights.",
        input: whole,
      },
      {
        path: "parallel",
        label: "Rollouts at once",
        about: "Changes nothing but the time it takes.",
        input: whole,
      },
    ],
  },
];

export const FIELDS: readonly Field[] = FIELD_GROUPS.flatMap((group) => group.fields);
