import type { GivenTrainSettings } from "./settings";

/** A recipe as data: settings that differ from the defaults, with what they mean. */
export interface Recipe {
  name: string;
  title: string;
  /** What it is, in a sentence. */
  about: string;
  settings: Omit<GivenTrainSettings, "recipe">;
}

/** The method and the baselines it is compared with (paper section 4, recipe 4 and 5). */
export const RECIPES: readonly Recipe[] = [
  {
    name: "mirl",
    title: "MiRL",
    about:
      "Rollouts go on from the state before an error step; paid when the task is solved and the misbehavior does not come back.",
    settings: { start: { kind: "prefix" }, reward: { kind: "outcome-and-behavior" } },
  },
  {
    name: "outcome-prefix",
    title: "Outcome only, from prefixes",
    about: "The same starts, paid for the task alone: shows what the behavior reward adds.",
    settings: { start: { kind: "prefix" }, reward: { kind: "outcome" } },
  },
  {
    name: "outcome-env",
    title: "Outcome only, same environments",
    about:
      "From the start of the task in the environments of the prefixes, paid for the task: shows what starting at the error adds.",
    settings: { start: { kind: "environments" }, reward: { kind: "outcome" } },
  },
  {
    name: "outcome-random",
    title: "Outcome only, any environments",
    about:
      "From the start of the task in as many environments of the suite, chosen without looking at errors (TMax-N).",
    settings: { start: { kind: "suite", count: 100 }, reward: { kind: "outcome" } },
  },
  {
    name: "pivotrl",
    title: "PivotRL",
    about:
      "One step at a time at turns where the policy's actions differ in value; paid when the action does what the accepted one did.",
    settings: { start: { kind: "pivot", profileId: 1 }, reward: { kind: "equivalence" }, group: 8, batch: 8 },
  },
  {
    name: "rar+",
    title: "RaR+",
    about: "From the start of the task; paid by the tests and by a rubric written for the environment.",
    settings: { start: { kind: "environments" }, reward: { kind: "rubric" } },
  },
];

export const recipeOf = (name: string): Recipe | undefined => RECIPES.find((r) => r.name === name);
