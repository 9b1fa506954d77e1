import type { Context } from "./context";
import { stepsOf } from "./figures/figure6";
import { deepest } from "./figures/figure8";
import { NOT_YET, ownOf } from "./findingsRates";
import { LINKS } from "./links";
import { passGap } from "./scores";
import { recipeTitle } from "./subjects";
import type { Finding } from "./types";
import { type Claim, verdictOf, verdictOfAll } from "./verdict";

const PAIRED = "Interval over environments and, where a recipe has several, training seeds; paired by environment.";

/** MiRL's score against that of a recipe. */
function beats(
  c: Context,
  others: readonly string[],
  head: Pick<Finding, "id" | "claim" | "source" | "published">,
): Finding {
  const rows = others.flatMap((recipe) => {
    const r = c.scores?.recipes.find((x) => x.recipe === recipe);
    const mirl = c.scores?.recipes.find((x) => x.recipe === "mirl");
    return r?.difference && mirl
      ? [{ recipe, e: r.difference, href: LINKS.scores([...mirl.seeds, ...r.seeds].map((s) => s.checkpoint)) }]
      : [];
  });
  return {
    ...head,
    own: rows.map((r) => ownOf(`less ${recipeTitle(r.recipe)}`, r.e, "points", r.href)),
    verdict:
      rows.length < others.length
        ? "cannot be told here"
        : verdictOfAll(rows.map((r) => verdictOf({ interval: r.e.interval, holds: "above", limit: 0 }))),
    why: rows.length < others.length ? NOT_YET : PAIRED,
  };
}

/** What one part of the method adds to the score. */
function part(
  c: Context,
  i: number,
  holds: Claim["holds"],
  head: Pick<Finding, "id" | "claim" | "published">,
): Finding {
  const step = stepsOf(c)[i];
  const gap = step?.gap ?? null;
  return {
    ...head,
    source: "section 4.4, Fig. 6",
    own:
      step && gap ? [ownOf(`${recipeTitle(step.to)} less ${recipeTitle(step.from)}`, gap, "points", "/evaluate")] : [],
    verdict: verdictOf({ interval: gap?.interval ?? null, holds, limit: 0 }),
    why: gap ? PAIRED : NOT_YET,
  };
}

/** pass@k: whether training teaches, or only sharpens. */
function passFindings(c: Context): Finding[] {
  const all = deepest(c);
  const base = all.find((p) => p.recipe === null);
  const of = (recipe: string) => all.find((p) => p.recipe === recipe);
  const gap = (recipe: string) => {
    const other = of(recipe);
    const k = Math.min(base?.k ?? 0, other?.k ?? 0);
    const e = base && other && k > 1 ? passGap(other.policy, base.policy, k) : null;
    return e && base && other ? { k, e, href: LINKS.scores([base.policy.checkpoint, other.policy.checkpoint]) } : null;
  };
  const [mirl, random] = [gap("mirl"), gap("outcome-random")];
  return [
    {
      id: "pass-mirl",
      claim: "MiRL solves tasks that the base does not within 16 attempts: its pass@16 is higher.",
      source: "section 4.5, Fig. 8",
      published: "39.3% against 34.8%: +4.5 points at k = 16",
      own: mirl ? [ownOf(`pass@${mirl.k}, MiRL less base`, mirl.e, "points", mirl.href)] : [],
      verdict:
        mirl && mirl.k >= 16
          ? verdictOf({ interval: mirl.e.interval, holds: "above", limit: 0 })
          : "cannot be told here",
      why: !mirl
        ? NOT_YET
        : mirl.k < 16
          ? `There are only ${mirl.k} runs a task.`
          : "One checkpoint of each, paired by environment.",
    },
    {
      id: "pass-outcome",
      claim: "With the outcome reward alone the base catches up as k grows: its pass@16 is no lower.",
      source: "section 4.5, Fig. 8",
      published: "TMax-4B 33.7% against 34.8% of the base at k = 16; equal at about k = 11",
      own: random
        ? [ownOf(`pass@${random.k}, ${recipeTitle("outcome-random")} less base`, random.e, "points", random.href)]
        : [],
      verdict:
        random && random.k >= 16
          ? verdictOf({ interval: random.e.interval, holds: "below", limit: 0 })
          : "cannot be told here",
      why: !random
        ? NOT_YET
        : random.k < 16
          ? `“${recipeTitle("outcome-random")}” has only ${random.k} runs a task: the curves may cross later.`
          : "One checkpoint of each, paired by environment.",
    },
  ];
}

/** Findings on scores (Fig. 5, 6, 8, 11). */
export const scoreFindings = (c: Context): Finding[] => [
  beats(c, ["outcome-random"], {
    id: "score-random",
    claim: "MiRL scores higher than the standard recipe on as many random environments.",
    source: "section 4.3, Fig. 5",
    published: "+8.4 points on TB-Lite, +3.7 on TB-2.1 (TMax-189)",
  }),
  beats(c, ["pivotrl", "rar+"], {
    id: "score-process",
    claim: "MiRL scores higher than recipes that reward the process otherwise.",
    source: "section 4.3, Fig. 5",
    published: "PivotRL +4.6 and +2.6 points, RaR+ +4.2 and +2.2 (TB-Lite, TB-2.1)",
  }),
  part(c, 0, "below", {
    id: "part-environments",
    claim: "Choosing the environments of the misbehaviors alone lowers the score: they are harder.",
    published: "−6.0 points on TB-Lite, −1.1 on TB-2.1",
  }),
  part(c, 1, "above", {
    id: "part-prefix",
    claim: "Starting rollouts at misbehavior prefixes raises the score.",
    published: "+7.9 points on TB-Lite, +1.5 on TB-2.1",
  }),
  part(c, 2, "above", {
    id: "part-behavior",
    claim: "The behavior reward raises the score further.",
    published: "+6.5 points on TB-Lite, +3.3 on TB-2.1",
  }),
  ...passFindings(c),
  {
    id: "scaling",
    claim: "MiRL improves with more environments.",
    source: "section 4.5, Fig. 11",
    published: "42.0% with 47 to 52.4% with 378 environments (TB-Lite)",
    own: [],
    verdict: "cannot be told here",
    why: "A study trains MiRL at one number of environments.",
  },
];
