import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import type { PooledEstimate } from "@/lib/study/report/pool";
import { estimate, madeOf, points } from "@/lib/study/report/say";
import { scoreGap } from "@/lib/study/report/scores";
import { recipeTitle } from "@/lib/study/report/subjects";
import type { Figure } from "@/lib/study/report/types";
import { publishedScoreBlocks, scoreBar } from "./figure5";

/** The parts of the method in the order the paper adds them (Fig. 6), by recipe. */
export const LADDER = ["outcome-random", "outcome-env", "outcome-prefix", "mirl"] as const;
const PARTS = ["environments from the profile", "starts at prefixes", "behavior reward"] as const;

/** What each part adds to the score, paired by environment; null: one of the two was not scored. */
export const stepsOf = ({
  attempts,
  subjects,
}: Context): { part: string; from: string; to: string; gap: PooledEstimate | null }[] =>
  PARTS.map((part, i) => {
    const [from, to] = [LADDER[i] as string, LADDER[i + 1] as string];
    return { part, from, to, gap: scoreGap(attempts, subjects, to, from) };
  });

export function figure6(c: Context): Figure {
  const { scores } = c;
  const rungs = LADDER.flatMap((recipe) => scores?.recipes.find((r) => r.recipe === recipe) ?? []);
  const names = (recipe: string) => rungs.find((r) => r.recipe === recipe)?.seeds.map((s) => s.checkpoint) ?? [];
  const whisker = "95% interval over environments and training seeds";
  return {
    id: "figure-6",
    number: "Figure 6",
    title: "What each part adds",
    blocks: [
      ...(scores
        ? [
            {
              kind: "bars" as const,
              name: "figure-6-scores",
              title: "Own held-out scores",
              unit: "%" as const,
              whisker,
              bars: [
                scoreBar("Base", scores.base, c.subjects.base ? LINKS.scores([c.subjects.base.name]) : null),
                ...rungs.map((r) => scoreBar(r.title, r.mean, LINKS.scores(names(r.recipe)))),
              ],
            },
            {
              kind: "bars" as const,
              name: "figure-6-steps",
              title: "What each part adds, paired by environment",
              unit: "points" as const,
              whisker,
              bars: stepsOf(c).map(({ part, from, to, gap }) =>
                gap
                  ? {
                      ...scoreBar(`+ ${part}`, gap, LINKS.scores([...names(from), ...names(to)])),
                      says: `${recipeTitle(to)} − ${recipeTitle(from)}: ${estimate(gap, points)} points; ${madeOf(gap, "environments")}`,
                    }
                  : {
                      name: `+ ${part}`,
                      value: null,
                      low: null,
                      high: null,
                      says: "one of the two was not scored",
                      href: null,
                    },
              ),
            },
          ]
        : []),
      ...publishedScoreBlocks("ablation", "figure-6"),
    ],
    absent: scores ? null : "Held-out scores are not measured yet.",
    notes: [
      "Published parts on TB-Lite: environments −6.0, prefixes +7.9, behavior reward +6.5 points; on TB-2.1 −1.1, +1.5, +3.3.",
    ],
  };
}
