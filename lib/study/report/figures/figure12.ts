import { quantileSorted } from "simple-statistics";
import { PAPER, subjectName } from "@/lib/evaluate/paper/published";
import { scoreSummary } from "@/lib/evaluate/scores/summary";
import { overRuns } from "@/lib/evaluate/stats/scores";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import type { Block, Figure, ReportBar, ReportCurve } from "@/lib/study/report/types";
import { plural } from "@/lib/text/format";
import { deepest } from "./figure8";

const FEW = 3;

/** How far single runs of one checkpoint lie apart, and how the standard error shrinks with more of them. */
export function figure12(c: Context): Figure {
  const known = deepest(c).flatMap(({ name, policy }) => {
    const s = scoreSummary(policy, "solved", 1);
    return s.runScores && s.runScores.length > 1
      ? [{ name, s, runs: s.runScores, href: LINKS.scores([policy.checkpoint]) }]
      : [];
  });
  const bar = (name: string, scores: readonly number[], href: string): ReportBar => {
    const { mean, se } = overRuns(scores);
    const value = mean === null ? null : 100 * mean;
    const error = se === null ? null : 100 * se;
    return {
      name: `${name}, ${plural(scores.length, "run")}`,
      value,
      low: value === null || error === null ? null : value - error,
      high: value === null || error === null ? null : value + error,
      says: `${value?.toFixed(2)} ± ${error?.toFixed(2) ?? "not known"}, one checkpoint, trained once`,
      href,
    };
  };
  const subsets: ReportCurve[] = known.flatMap(({ name, s, href }) =>
    s.subsetSe.length === 0
      ? []
      : [
          {
            name,
            points: s.subsetSe.map(({ k, value }) => ({
              x: k,
              y: 100 * value,
              says: `mean SE of ${(100 * value).toFixed(2)} points over all subsets of ${k} runs`,
              href,
            })),
          },
        ],
  );
  const printed = PAPER.reliability.mean_se_by_k;
  const own: Block[] =
    known.length === 0
      ? []
      : [
          ...(subsets.length === 0
            ? []
            : [
                {
                  kind: "curves" as const,
                  name: "figure-12a",
                  title: "Mean SE over subsets of k runs",
                  xLabel: "runs",
                  yLabel: "mean SE (points)",
                  log: true,
                  curves: [
                    ...subsets,
                    {
                      name: "mean of three recipes (published)",
                      published: true,
                      points: printed.map((p) => ({
                        x: p.k,
                        y: p.mean_se,
                        says: `${p.mean_se}, published`,
                        href: null,
                      })),
                    },
                  ],
                },
              ]),
          {
            kind: "bars",
            name: "figure-12b",
            title: `Mean over ${FEW} and over all runs`,
            unit: "%",
            whisker: "± 1 SE over runs",
            bars: known.flatMap(({ name, runs, href }) => [
              ...(runs.length > FEW ? [bar(name, runs.slice(0, FEW), href)] : []),
              bar(name, runs, href),
            ]),
          },
          {
            kind: "table",
            name: "figure-12c",
            title: "Distribution of single runs (%)",
            header: ["Policy", "Runs", "Least", "25%", "Mean", "75%", "Most"],
            links: known.map((k) => k.href),
            rows: known.map(({ name, runs }) => {
              const sorted = [...runs].sort((a, b) => a - b);
              const say = (x: number) => Number((100 * x).toFixed(1));
              return [
                name,
                runs.length,
                say(sorted[0] ?? 0),
                say(quantileSorted(sorted, 0.25)),
                say(runs.reduce((a, b) => a + b, 0) / runs.length),
                say(quantileSorted(sorted, 0.75)),
                say(sorted.at(-1) ?? 0),
              ];
            }),
          },
        ];
  return {
    id: "figure-12",
    number: "Figure 12",
    title: "More runs",
    blocks: [
      ...own,
      {
        kind: "bars",
        name: "figure-12-published",
        title: "Published, Terminal-Bench 2.1",
        unit: "%",
        whisker: "± 1 SE over runs of one training",
        bars: (["three_seeds", "sixteen_seeds"] as const).flatMap((key) =>
          PAPER.reliability[key].map((s) => ({
            name: `${subjectName(s.subject)}, ${key === "three_seeds" ? 3 : 16} runs`,
            value: s.mean,
            low: s.mean - s.se,
            high: s.mean + s.se,
            says: `${s.mean} ± ${s.se}, published`,
            href: null,
            published: true,
          })),
        ),
      },
    ],
    absent: known.length === 0 ? "No checkpoint has several runs over the same environments." : null,
    notes: ["Runs are evaluations of one checkpoint: none of this says how far training again would move a score."],
  };
}
