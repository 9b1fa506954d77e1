import { BENCHMARKS, PAPER, publishedScores } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import { percent } from "@/lib/study/report/say";
import type { Figure, ReportCurve } from "@/lib/study/report/types";

/** Score over the number of environments trained in. */
export function figure11({ scores, uses }: Context): Figure {
  const mirl = scores?.recipes.find((r) => r.recipe === "mirl");
  const points = (mirl?.seeds ?? []).flatMap((s) => {
    const use = uses.find((u) => u.recipe === "mirl" && u.seed === s.seed);
    return use && s.value !== null
      ? [
          {
            x: use.environments,
            y: 100 * s.value,
            says: `seed ${s.seed}: ${percent(s.value)}, groups from ${use.environments} environments up to the chosen checkpoint`,
            href: LINKS.training(use.runId),
          },
        ]
      : [];
  });
  const published: ReportCurve[] = BENCHMARKS.map((b) => ({
    name: `MiRL, ${PAPER.benchmarks[b].name} (published)`,
    published: true,
    points: publishedScores("scaling", b).map((s) => ({
      x: s.environments ?? 0,
      y: s.mean,
      low: s.mean - s.se,
      high: s.mean + s.se,
      says: `${s.mean} ± ${s.se} with ${s.environments} environments, published`,
      href: null,
    })),
  }));
  return {
    id: "figure-11",
    number: "Figure 11",
    title: "More environments",
    blocks: [
      ...(points.length === 0
        ? []
        : [
            {
              kind: "curves" as const,
              name: "figure-11-own",
              title: "Own MiRL trainings, at their one size",
              xLabel: "environments",
              yLabel: "score (%)",
              curves: [{ name: "MiRL", points: points.sort((a, b) => a.x - b.x) }],
            },
          ]),
      {
        kind: "curves",
        name: "figure-11-published",
        title: "Published",
        xLabel: "environments",
        yLabel: "score (%)",
        log: true,
        note: "Whiskers: ± 1 SE over 3 runs.",
        curves: published,
      },
    ],
    absent:
      "A study trains MiRL at one number of environments, so whether more of them help cannot be told here. Seeds differ in how many they came to draw from before their chosen checkpoint; that is no scaling.",
    notes: [],
  };
}
