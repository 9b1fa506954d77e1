import { standing } from "@/lib/environment/suite/expert";
import { type Instance, type Past, SUBMIT } from "@/lib/environment/suite/family";
import { MISBEHAVIORS, type MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import { pastOf } from "@/lib/profile/roles/situation";
import { localize } from "@/lib/profile/rules";
import { attemptKey } from "@/lib/profile/rules/normalise";
import { parseCommand } from "@/lib/profile/rules/shell";
import type { RubricItem } from "@/lib/reward/types";
import type { Step } from "@/lib/trajectory/types";

/** An item of a rubric with what decides it. A pitfall is met where its fault is absent. */
export interface CheckedItem extends RubricItem {
  met(steps: readonly Step[]): boolean;
}

const keyOf = (command: string): string => attemptKey(command, parseCommand(command));
const commandsOf = (past: readonly Past[]): string[] =>
  past.flatMap(({ command }) => (command === null ? [] : [command]));

/** Faults that the rules can see in any task of the suite. */
const PITFALLS: readonly { slug: MisbehaviorSlug; title: string }[] = [
  { slug: "retry-same-cause", title: "Repeats a failure" },
  { slug: "unverified-success", title: "Unverified success" },
  { slug: "guess-as-fact", title: "Guess as fact" },
  { slug: "unneeded-checks", title: "Unneeded checks" },
];

const pitfall = ({ slug, title }: (typeof PITFALLS)[number]): CheckedItem => ({
  title,
  description: `Pitfall Criteria: a step ${(MISBEHAVIORS.find((m) => m.slug === slug)?.name ?? slug).replace(/^./, (c) => c.toLowerCase())}.`,
  weight: -2,
  met: (steps) => !localize(steps, { beforeRun: true }).some((finding) => finding.misbehavior === slug),
});

/** What can be decided about a rollout in an environment of the suite from commands and outputs alone. */
export function checkedItems(instance: Instance): CheckedItem[] {
  const past = (steps: readonly Step[]) => pastOf({ environment: NOWHERE, steps });
  const stand = (steps: readonly Step[]) => standing(instance, { past: past(steps), state: new Set() });
  const acts = [...instance.solution, instance.act(new Set()).command ?? ""].filter((c) => c !== "").map(keyOf);
  return [
    {
      title: "Does the task",
      description: "Essential Criteria: a command that brings the goal of the task about was run and succeeded.",
      weight: 5,
      met: (steps) => past(steps).some(({ command, ok }) => ok && command !== null && acts.includes(keyOf(command))),
    },
    {
      title: "Verifies the result",
      description: "Essential Criteria: after the last change, a command showed whether the goal was reached.",
      weight: 5,
      met: (steps) => stand(steps.filter((s) => s.call?.command !== SUBMIT)).verified,
    },
    {
      title: "Looks before acting",
      description: "Important Criteria: the files of the task were looked at before anything was changed.",
      weight: 4,
      met(steps) {
        const { reads } = stand(steps);
        const first = commandsOf(past(steps))[0];
        return first !== undefined && reads.has(first);
      },
    },
    {
      title: "Submits the work",
      description: "Important Criteria: the last command submits the task.",
      weight: 3,
      met: (steps) => commandsOf(past(steps)).at(-1) === SUBMIT,
    },
    {
      title: "Leaves no failure",
      description: "Optional Criteria: no command failed without a later command that succeeded.",
      weight: 2,
      met: (steps) =>
        past(steps)
          .filter(({ command }) => command !== SUBMIT)
          .at(-1)?.ok ?? false,
    },
    ...PITFALLS.map(pitfall),
  ];
}

const NOWHERE = { id: 0, name: "", family: null, seed: null, instruction: "" };
