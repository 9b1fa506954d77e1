/** A word of the method, as pages use it. */
export interface Entry {
  /** In the singular. */
  term: string;
  /** One line: what it is. */
  says: string;
  /** The page where they are seen. */
  href: string;
}

/** Every word of the method with its one-line explanation, in the order of the method. */
export const GLOSSARY = {
  policy: {
    term: "policy",
    says: "The agent that acts: a model with its prompt, which reads what the terminal said and answers with a command.",
    href: "/models",
  },
  checkpoint: {
    term: "checkpoint",
    says: "A policy as it stood at one moment: the base, an imported model by its name, or what a training kept after a step.",
    href: "/models",
  },
  environment: {
    term: "environment",
    says: "A task in a sandbox: an instruction, files to start from, and hidden tests that say whether it was done.",
    href: "/environments",
  },
  rollout: {
    term: "rollout",
    says: "One go of a policy at an environment, from where it starts until it submits or reaches a limit.",
    href: "/profiles",
  },
  "unaided rollout": {
    term: "unaided rollout",
    says: "A whole rollout that nobody helped: from the start, without a teacher or injected errors. What a model does by itself.",
    href: "/trajectories?unaided=true",
  },
  trajectory: {
    term: "trajectory",
    says: "The record of a rollout: its steps in order, and how it came out.",
    href: "/trajectories",
  },
  step: {
    term: "step",
    says: "One turn of a policy: its thinking, one command, and the observation that came back.",
    href: "/search",
  },
  prefix: {
    term: "prefix",
    says: "h: the beginning of a trajectory up to a step, as a state that rollouts may start from.",
    href: "/prefixes",
  },
  "error step": {
    term: "error step",
    says: "A step that a localizer or a person calls wrong, judged from what the policy had seen by then.",
    href: "/misbehaviors",
  },
  localizer: {
    term: "localizer",
    says: "Who says which steps are wrong: the built-in rules, a model, or people.",
    href: "/localizers",
  },
  teacher: {
    term: "teacher",
    says: "Who says what to do in place of an error step, while a policy is profiled.",
    href: "/profiles",
  },
  correction: {
    term: "correction",
    says: "The step that a teacher took in place of an error step.",
    href: "/profiles",
  },
  annotator: {
    term: "annotator",
    says: "Who sorts error steps into error types: a model, the rules, or a person.",
    href: "/review",
  },
  "error type": {
    term: "error type",
    says: "A kind of error step, with a definition and with what it is not.",
    href: "/misbehaviors",
  },
  misbehavior: {
    term: "misbehavior",
    says: "A generalizable error type: one that a policy repeats in many different environments.",
    href: "/misbehaviors",
  },
  taxonomy: {
    term: "taxonomy",
    says: "A version of the set of error types; an edit makes the next version and leaves the old one as it was.",
    href: "/misbehaviors/versions",
  },
  label: {
    term: "label",
    says: "That an error step is, or is not, of an error type, and who says so.",
    href: "/review",
  },
  "misbehavior prefix": {
    term: "misbehavior prefix",
    says: "A prefix that ends right before an error step of a misbehavior: what comes next shows whether it is repeated.",
    href: "/prefixes",
  },
  "rerun check": {
    term: "rerun check",
    says: "A prefix's commands, run again in a fresh sandbox: it is kept when everything the policy saw comes back the same.",
    href: "/prefixes",
  },
  "behavior judge": {
    term: "behavior judge",
    says: "Who says whether a misbehavior happened in the steps after a prefix: rules, a model, or one learned from labels.",
    href: "/compare",
  },
  verdict: {
    term: "verdict",
    says: "What a behavior judge said of one window of steps: yes or no; a call that failed or does not parse is neither.",
    href: "/compare",
  },
  "outcome reward": {
    term: "outcome reward",
    says: "r_o: what the environment's hidden tests give for the final state, from 0 to 1.",
    href: "/train",
  },
  "behavior reward": {
    term: "behavior reward",
    says: "r_e: 1 when the misbehavior of the prefix did not happen in the window after it, else 0.",
    href: "/train",
  },
  group: {
    term: "group",
    says: "Rollouts from one start, compared with each other: each is rewarded by how far it is above their mean.",
    href: "/train",
  },
  "dead group": {
    term: "dead group",
    says: "A group whose rollouts all have the same reward: nothing can be learned from it.",
    href: "/train",
  },
  recipe: {
    term: "recipe",
    says: "All settings of a training as data: where rollouts start, what they are paid for, sizes, steps, and the loss.",
    href: "/train",
  },
  study: {
    term: "study",
    says: "Everything that belongs together: a profile, its taxonomy, prefixes, trainings and measurements.",
    href: "/study",
  },
} as const satisfies Record<string, Entry>;

export type TermName = keyof typeof GLOSSARY;

/** The address of a word on the page of all words. */
export const termHref = (name: TermName): string => `/help#${name.replaceAll(" ", "-")}`;
