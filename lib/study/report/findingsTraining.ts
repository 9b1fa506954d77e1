import type { Context } from "./context";
import { allRollouts } from "./figures/figure1";
import { deadPrinted } from "./figures/resources";
import { NOT_YET, ownOf } from "./findingsRates";
import { LINKS } from "./links";
import { type Arm, type PooledEstimate, pooled } from "./pool";
import { recipeTitle } from "./subjects";
import type { Finding } from "./types";
import { verdictOf, verdictOfSeeds } from "./verdict";

/** Share of dead groups of whole trainings, first − second, paired by training step; null: one was not trained. */
function deadGap({ uses }: Context, first: string, second: string): PooledEstimate | null {
  const own = (recipe: string) => uses.filter((u) => u.recipe === recipe && u.byStep.length > 0);
  const [a, b] = [own(first), own(second)];
  if (a.length === 0 || b.length === 0) return null;
  const steps = [...new Set([...a, ...b].flatMap((u) => u.byStep.map((s) => s.step)))].sort((x, y) => x - y);
  const arm = (of: typeof a): Arm => ({
    seeds: of.map((u) => [
      steps.map((step) => {
        const s = u.byStep.find((one) => one.step === step);
        return { numerator: s?.unpaid ?? 0, denominator: s?.groups ?? 0 };
      }),
    ]),
  });
  return pooled([arm(a), arm(b)], [{ kind: "difference", arms: [0, 1] }], `dead ${first} ${second}`)[0] ?? null;
}

function dead(
  c: Context,
  first: string,
  second: string,
  holds: "above" | "below",
  head: Pick<Finding, "id" | "claim" | "source">,
): Finding {
  const gap = deadGap(c, first, second);
  const run = c.uses.find((u) => u.recipe === first)?.runId;
  return {
    ...head,
    published: `${deadPrinted(first)}% against ${deadPrinted(second)}%`,
    own: gap
      ? [
          ownOf(
            `${recipeTitle(first)} less ${recipeTitle(second)}`,
            gap,
            "points",
            run === undefined ? null : LINKS.training(run),
          ),
        ]
      : [],
    verdict: verdictOf({ interval: gap?.interval ?? null, holds, limit: 0 }),
    why: gap
      ? "Groups in which no rollout is paid, over whole trainings; interval over training steps and, where there are several, training seeds."
      : NOT_YET,
  };
}

/** Counts of each seed, in words. */
const counted = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;

/** Findings on what training costs and on its signal (section 4.5, Fig. 9 and 10). */
export function trainingFindings(c: Context): Finding[] {
  const of = (recipe: string) => c.uses.filter((u) => u.recipe === recipe);
  const perRollout = (recipe: string) =>
    of(recipe).flatMap((u) => {
      const before = u.before ?? { rollouts: 0, tokens: 0 };
      const rollouts = u.rollouts + before.rollouts;
      return u.tokens === null || before.tokens === null || rollouts === 0
        ? []
        : [(u.tokens + before.tokens) / rollouts];
    });
  const [mirl, random] = [perRollout("mirl"), perRollout("outcome-random")];
  const [a, b] = [counted(mirl), counted(random)];
  const run = of("mirl")[0]?.runId;
  const href = run === undefined ? null : LINKS.training(run);
  const [ra, rb] = [counted(of("mirl").map(allRollouts)), counted(of("outcome-random").map(allRollouts))];
  return [
    {
      id: "fewer-rollouts",
      claim:
        "MiRL needs a third of the rollouts of the full recipe, and about as many as the recipe on as many environments.",
      source: "section 4.5, Fig. 9 and 10",
      published: "−65% against TMax-4B; 26.2K against 26.4K of TMax-189",
      own:
        ra === null || rb === null || rb === 0
          ? []
          : [
              {
                label: `${Math.round(ra)} against ${Math.round(rb)} rollouts of “${recipeTitle("outcome-random")}”`,
                value: 100 * (ra / rb - 1),
                interval: null,
                unit: "change",
                href,
              },
            ],
      verdict: "cannot be told here",
      why: "The full recipe is not trained here, and all recipes run for the same number of steps: the chosen step alone moves the count.",
    },
    {
      id: "shorter-rollouts",
      claim: "A rollout from a prefix writes fewer tokens than one from the start of a task.",
      source: "section 4.5, Fig. 9",
      published: "10.0K against 13.0K output tokens a rollout (262M / 26.2K, 344M / 26.4K, profile included)",
      own:
        a === null || b === null || b === 0
          ? []
          : [
              {
                label: `${a.toFixed(0)} against ${b.toFixed(0)} tokens a rollout, profile included`,
                value: 100 * (a / b - 1),
                interval: null,
                unit: "change",
                href,
              },
            ],
      verdict: verdictOfSeeds(mirl, random, "below"),
      why:
        a === null || b === null
          ? NOT_YET
          : `Counts of trainings, not samples: every seed of the one against every seed of the other (${mirl.length} and ${random.length}).`,
    },
    dead(c, "mirl", "outcome-random", "above", {
      id: "dead-mirl",
      claim: "The stricter reward of MiRL leaves more groups without any paid rollout.",
      source: "section 4.5",
    }),
    dead(c, "outcome-env", "outcome-random", "above", {
      id: "dead-environments",
      claim: "Environments of the misbehaviors are harder: more groups fail as a whole.",
      source: "section 4.4",
    }),
    dead(c, "rar+", "mirl", "below", {
      id: "dead-rar",
      claim: "Graded rewards (RaR+) leave hardly any group without signal.",
      source: "section 4.5",
    }),
  ];
}
