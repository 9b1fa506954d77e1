import { BENCHMARKS, benchmarkName, publishedScores, subjectName } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import type { PooledEstimate } from "@/lib/study/report/pool";
import { estimate, hundred, madeOf, points } from "@/lib/study/report/say";
import type { Block, Figure, PooledEnds, ReportBar } from "@/lib/study/report/types";
import { plural } from "@/lib/text/format";

/** A score pooled over seeds, as a bar. */
export const scoreBar = (name: string, e: PooledEstimate, href: string | null, more = ""): ReportBar => ({
  name,
  value: hundred(e.value),
  low: hundred(e.interval?.low),
  high: hundred(e.interval?.high),
  says: `${estimate(e)}; ${madeOf(e, "environments")}${more}`,
  href,
});

/** Printed scores of a figure as blocks, one a benchmark. */
export const publishedScoreBlocks = (figure: "main_results" | "ablation", id: string): Block[] =>
  BENCHMARKS.map(
    (benchmark): Block => ({
      kind: "bars",
      name: `${id}-published-${benchmark}`,
      title: `Published, ${benchmarkName(benchmark)}`,
      unit: "%",
      whisker: "± 1 SE over 3 runs of one training",
      bars: publishedScores(figure, benchmark).map((s) => ({
        name: subjectName(s.subject),
        value: s.mean,
        low: s.mean - s.se,
        high: s.mean + s.se,
        says: `${s.mean} ± ${s.se}, published`,
        href: null,
        published: true,
      })),
    }),
  );

/** The same checkpoints from states before unseen misbehaviors on: no counterpart in the paper. */
function endBlocks({ base, recipes, prefixes }: PooledEnds, measurement: number): Block[] {
  const whisker = "95% interval over prefixes and training seeds";
  const bar = (name: string, e: PooledEstimate): ReportBar => ({
    ...scoreBar(name, e, LINKS.measurement(measurement)),
    says: `${estimate(e)}; ${madeOf(e, "prefixes")}`,
  });
  return [
    {
      kind: "bars",
      name: "figure-5-from-prefixes",
      title: `Own, passed when gone on from ${plural(prefixes, "unseen prefix", "unseen prefixes")} to the end`,
      unit: "%",
      whisker,
      note: "Share of samples that passed the hidden tests; the paper has no counterpart. Scores above are of whole rollouts, from the start of a task.",
      bars: [bar("Base", base), ...recipes.map((r) => bar(r.title, r.mean))],
    },
    {
      kind: "bars",
      name: "figure-5-from-prefixes-differences",
      title: "MiRL less each other from there, paired by prefix",
      unit: "points",
      whisker,
      bars: recipes.flatMap((r) =>
        r.difference === null
          ? []
          : [
              {
                ...bar(`MiRL − ${r.title}`, r.difference),
                says: `${estimate(r.difference, points)} points; ${madeOf(r.difference, "prefixes")}`,
              },
            ],
      ),
    },
  ];
}

/** Main scores: base and every recipe on the same held-out environments. */
export function figure5({ scores, ends, measured, subjects, attempts }: Context): Figure {
  const blocks: Block[] = [];
  if (scores) {
    const names = (recipe: string) =>
      scores.recipes.find((r) => r.recipe === recipe)?.seeds.map((s) => s.checkpoint) ?? [];
    blocks.push(
      {
        kind: "bars",
        name: "figure-5-scores",
        title: `Own held-out scores, ${plural(scores.environments, "environment")}`,
        unit: "%",
        whisker: "95% interval over environments and training seeds",
        note: "Share of attempts that solved the task, mean over environments, then over training seeds.",
        bars: [
          scoreBar("Base", scores.base, subjects.base ? LINKS.scores([subjects.base.name]) : null),
          ...scores.recipes.map((r) => scoreBar(r.title, r.mean, LINKS.scores(names(r.recipe)))),
        ],
      },
      {
        kind: "bars",
        name: "figure-5-differences",
        title: "MiRL less each other, paired by environment",
        unit: "points",
        whisker: "95% interval over environments and training seeds",
        bars: scores.recipes.flatMap((r): ReportBar[] =>
          r.difference === null
            ? []
            : [
                {
                  ...scoreBar(`MiRL − ${r.title}`, r.difference, LINKS.scores([...names("mirl"), ...names(r.recipe)])),
                  says: `${estimate(r.difference, points)} points; ${madeOf(r.difference, "environments")}`,
                },
              ],
        ),
      },
      {
        kind: "table",
        name: "figure-5-seeds",
        title: "Each training seed",
        header: ["Checkpoint", "Recipe", "Seed", "Score (%)", "Attempts that count", "Void"],
        links: scores.recipes.flatMap((r) => r.seeds.map((s) => LINKS.scores([s.checkpoint]))),
        rows: scores.recipes.flatMap((r) =>
          r.seeds.map((s) => [
            s.checkpoint,
            r.title,
            s.seed,
            s.value === null ? null : Number((100 * s.value).toFixed(1)),
            attempts.get(s.checkpointId)?.attempts ?? null,
            attempts.get(s.checkpointId)?.void ?? null,
          ]),
        ),
      },
    );
  }
  if (ends && measured) blocks.push(...endBlocks(ends, measured.id));
  return {
    id: "figure-5",
    number: "Figure 5",
    title: "Task performance",
    blocks: [...blocks, ...publishedScoreBlocks("main_results", "figure-5")],
    absent: scores
      ? "TMax-4B, the released checkpoint of the full recipe on 14.6K environments, has no counterpart at this scale; “Outcome only, any environments” is that of TMax-189."
      : "Held-out scores are not measured yet.",
    notes: [],
  };
}
