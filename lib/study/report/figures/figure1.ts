import { PAPER, publishedScores, subjectName } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import { hundred, percent } from "@/lib/study/report/say";
import { recipeTitle } from "@/lib/study/report/subjects";
import type { TrainingUse } from "@/lib/study/report/training";
import type { Figure, ReportCurve } from "@/lib/study/report/types";

/** Rollouts up to the chosen checkpoint, those of the profile included. */
export const allRollouts = (u: TrainingUse): number => u.rollouts + (u.before?.rollouts ?? 0);

/** Score over rollouts used: does the recipe get more out of each? (Panels a and b are Fig. 4 and a drawing of the method.) */
export function figure1({ scores, uses, subjects }: Context): Figure {
  const own: ReportCurve[] = (scores?.recipes ?? []).map((r) => ({
    name: r.title,
    apart: true,
    points: r.seeds
      .flatMap((s) => {
        const use = uses.find((u) => u.recipe === r.recipe && u.seed === s.seed);
        if (!use || s.value === null) return [];
        return [
          {
            x: allRollouts(use),
            y: 100 * s.value,
            says: `seed ${s.seed}, step ${use.step ?? "not chosen"}: ${percent(s.value)} after ${allRollouts(use)} rollouts, ${use.before?.rollouts ?? 0} of them of the profile`,
            href: LINKS.training(use.runId),
          },
        ];
      })
      .sort((a, b) => a.x - b.x),
  }));
  const base = hundred(scores?.base.value);
  const drawn: ReportCurve[] = [
    ...(base === null || !subjects.base
      ? []
      : [
          {
            name: "Base",
            points: [
              { x: 0, y: base, says: `${base.toFixed(1)}%, no training`, href: LINKS.scores([subjects.base.name]) },
            ],
          },
        ]),
    ...own.filter((c) => c.points.length > 0),
  ];
  const published = PAPER.resources.rows.flatMap((row): ReportCurve[] => {
    const score = publishedScores("main_results", "tb_lite").find((s) => s.subject === row.subject);
    return score
      ? [
          {
            name: `${subjectName(row.subject)} (published)`,
            published: true,
            points: [
              {
                x: row.rollouts.value,
                y: score.mean,
                low: score.mean - score.se,
                high: score.mean + score.se,
                says: `${score.mean} ± ${score.se} after ${row.rollouts.printed} rollouts, published`,
                href: null,
              },
            ],
          },
        ]
      : [];
  });
  return {
    id: "figure-1",
    number: "Figure 1c",
    title: "Score over rollouts",
    blocks: [
      ...(drawn.length === 0
        ? []
        : [
            {
              kind: "curves" as const,
              name: "figure-1-own",
              title: "Own held-out score over rollouts",
              xLabel: "rollouts up to the chosen checkpoint",
              yLabel: "score (%)",
              note: "A mark a training seed. Rollouts of the profile count for recipes that start from it.",
              curves: drawn,
            },
          ]),
      {
        kind: "curves",
        name: "figure-1-published",
        title: "Published, Terminal-Bench Lite",
        xLabel: "rollouts",
        yLabel: "score (%)",
        note: "Fig. 5 over Fig. 10; the paper draws MiRL, TMax-4B and the base.",
        curves: published,
      },
    ],
    absent:
      recipesMissing(scores?.recipes.length ?? 0) ??
      `All recipes train for the same number of steps here, so this shows what each gets out of alike budgets, not how long the full recipe needs; TMax-4B has no counterpart. “${recipeTitle("outcome-random")}” stands for TMax-189.`,
    notes: ["Panel a is Figure 4; panel b is a drawing of the method."],
  };
}

const recipesMissing = (n: number): string | null => (n === 0 ? "Held-out scores are not measured yet." : null);
