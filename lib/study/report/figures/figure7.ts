import { PAPER, publishedRates, publishedReductions, RATE_SUBJECTS, subjectName } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import type { PooledEstimate } from "@/lib/study/report/pool";
import { estimate, hundred, judgeWord, madeOf, points } from "@/lib/study/report/say";
import { misbehaviorName, recipeTitle } from "@/lib/study/report/subjects";
import type { Block, Figure, PooledRates, ReportBar } from "@/lib/study/report/types";

/** Drawn by misbehavior: who the aim is about. Others are in the means. */
const SHOWN = ["mirl", "outcome-prefix", "outcome-random"];

const bar = (name: string, e: PooledEstimate, href: string | null, say?: (x: number) => string): ReportBar => ({
  name,
  value: hundred(e.value),
  low: hundred(e.interval?.low),
  high: hundred(e.interval?.high),
  says: `${estimate(e, say)}; ${madeOf(e, "prefixes")}`,
  href,
});

function blocksOf(r: PooledRates, i: number, measurement: number): Block[] {
  const link = LINKS.measurement(measurement);
  const whisker = "95% interval over prefixes and training seeds";
  const baseline = r.recipes[0];
  return [
    {
      kind: "bars",
      name: `figure-7-means-${i}`,
      title: `Mean rate, judge ${judgeWord(r.judge)}`,
      unit: "%",
      whisker,
      note: "Mean over misbehaviors, then over training seeds. Lower is better.",
      bars: [bar("Base", r.base, link), ...r.recipes.map((x) => bar(x.title, x.mean, link))],
    },
    {
      kind: "bars",
      name: `figure-7-reductions-${i}`,
      title: `Reduction against base, judge ${judgeWord(r.judge)}`,
      unit: "%",
      whisker,
      note: "1 − mean rate / mean rate of base, as the paper's 43% and 57%.",
      bars: r.recipes.map((x) => bar(x.title, x.against, link)),
    },
    {
      kind: "bars",
      name: `figure-7-differences-${i}`,
      title: `${baseline?.title ?? "First"} less each other, judge ${judgeWord(r.judge)}`,
      unit: "points",
      whisker,
      note: "Paired by prefix. Below 0: the first misbehaves less.",
      bars: r.recipes.flatMap((x) =>
        x.difference ? [bar(`${baseline?.title} − ${x.title}`, x.difference, link, points)] : [],
      ),
    },
    {
      kind: "bars",
      name: `figure-7-misbehaviors-${i}`,
      title: `By misbehavior, judge ${judgeWord(r.judge)}`,
      unit: "%",
      whisker,
      bars: r.misbehaviors.flatMap((m) => [
        bar(`${m.name}: base`, m.base, link),
        ...m.recipes.filter((x) => SHOWN.includes(x.recipe)).map((x) => bar(`${m.name}: ${x.recipe}`, x.mean, link)),
      ]),
    },
    {
      kind: "table",
      name: `figure-7-seeds-${i}`,
      title: `Each training seed, judge ${judgeWord(r.judge)}`,
      header: ["Checkpoint", "Recipe", "Seed", "Mean rate (%)"],
      links: r.recipes.flatMap((x) => x.seeds.map((s) => LINKS.samples(measurement, s.checkpointId))),
      rows: r.recipes.flatMap((x) =>
        x.seeds.map((s) => [
          s.checkpoint,
          x.title,
          s.seed,
          s.value === null ? null : Number((100 * s.value).toFixed(1)),
        ]),
      ),
    },
  ];
}

const published = (): Block[] =>
  publishedReductions().map(
    ({ judge, ofMeans }): Block => ({
      kind: "bars",
      name: `figure-7-published-${judge}`,
      title: `Published, judge ${judge}`,
      unit: "%",
      whisker: "none printed",
      note: `Reduction of MiRL against base: ${ofMeans.toFixed(1)}% of the mean rate.`,
      bars: PAPER.misbehavior_rates.rows
        .filter((row) => row.judge === judge)
        .flatMap((row) =>
          RATE_SUBJECTS.map((subject) => {
            const rate = publishedRates().find(
              (p) => p.judge === judge && p.misbehavior === row.misbehavior && p.subject === subject,
            );
            return {
              name: `${row.misbehavior}: ${subjectName(subject)}`,
              value: rate?.value ?? null,
              low: null,
              high: null,
              says: `${rate?.value}%, published`,
              href: null,
              published: true,
            };
          }),
        ),
    }),
  );

/** Misbehavior rates on unseen prefixes under each judge. */
export function figure7({ rates, measured }: Context): Figure {
  return {
    id: "figure-7",
    number: "Figure 7",
    title: "Misbehavior rates on unseen prefixes",
    blocks: [...(measured ? rates.flatMap((r, i) => blocksOf(r, i, measured.id)) : []), ...published()],
    absent:
      rates.length > 0
        ? rates.some((r) => r.left.length > 0)
          ? `In no mean, for want of a verdict under some policy: ${[...new Set(rates.flatMap((r) => r.left))].map((name) => `“${name}”`).join(", ")}.`
          : null
        : "Misbehavior rates are not measured yet.",
    notes: [
      ...(measured?.plan.left ?? []).map(
        (l) => `“${misbehaviorName(l.slug)}” has only ${l.prefixes} kept unseen prefixes and is not measured.`,
      ),
      ...(measured
        ? [
            `Prefixes: of each misbehavior at most ${measured.protocol.prefixes}, drawn from those of environments that no training saw and that the rerun check kept.`,
          ]
        : []),
      `By misbehavior: ${SHOWN.map((recipe) => `${recipe} is “${recipeTitle(recipe)}”`).join(", ")}.`,
    ],
  };
}
