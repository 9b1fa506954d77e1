import { listHref } from "@/app/trajectories/search-params";
import type { Curve } from "@/components/charts/curves";
import type { EstimateBar } from "@/components/charts/estimates";
import type { StripCell } from "@/components/charts/strip";
import { BENCHMARKS, type Benchmark, PAPER, publishedScores, subjectName } from "@/lib/evaluate/paper/published";
import type { ScoreReport } from "@/lib/evaluate/scores/report";
import type { MisbehaviorShare } from "@/lib/evaluate/scores/shares";
import type { ScoreSummary } from "@/lib/evaluate/scores/summary";
import { plural } from "@/lib/text/format";

const percent = (x: number): number => 100 * x;
const ONCE = "one checkpoint, trained once";

/** Rows behind a score: the trajectories, where the set has any. */
const rowsOf = (r: ScoreReport, checkpointId: number, model: string, task?: string): string | null => {
  const tasks = r.policies.find((p) => p.checkpointId === checkpointId)?.tasks ?? [];
  const stored =
    r.set.source === "trajectories" || tasks.some((t) => r.readable.has(`${checkpointId} ${t.environmentId}`));
  return stored ? listHref({ model: [model], ...(task === undefined ? {} : { task: [task] }) }) : null;
};

const says = (s: ScoreSummary): string =>
  [
    `${s.mean === null ? "not known" : `${percent(s.mean).toFixed(1)}%`}`,
    `${s.solved} of ${plural(s.attempts, "rollout")} solved`,
    plural(s.tasks, "task"),
    s.seRuns === null
      ? `SE over runs not known: ${s.runsWhy}`
      : `SE over ${s.runScores?.length} runs ${percent(s.seRuns).toFixed(2)}`,
    s.seTasks === null ? "SE over tasks not known" : `SE over tasks ${percent(s.seTasks).toFixed(2)}`,
    `${s.void} void`,
    ONCE,
  ].join("; ");

/** Fig. 5: means with one standard error. */
export function meanBars(r: ScoreReport, error: "runs" | "tasks"): EstimateBar[] {
  return r.scores.map((s) => {
    const se = error === "runs" ? s.seRuns : s.seTasks;
    return {
      name: s.checkpoint,
      value: s.mean === null ? null : percent(s.mean),
      low: s.mean === null || se === null ? null : percent(s.mean - se),
      high: s.mean === null || se === null ? null : percent(s.mean + se),
      says: says(s),
      href: rowsOf(r, s.checkpointId, s.checkpoint),
    };
  });
}

/** Bars that the paper printed in one of its figures. */
export const paperBars = (figure: Parameters<typeof publishedScores>[0], benchmark: Benchmark): EstimateBar[] =>
  publishedScores(figure, benchmark).map((s) => ({
    name: subjectName(s.subject),
    value: s.mean,
    low: s.mean - s.se,
    high: s.mean + s.se,
    says: `${s.mean.toFixed(1)} ± ${s.se.toFixed(1)}, published; SE over ${s.runs} evaluation runs of ${ONCE}`,
    href: null,
    published: true,
  }));

/** Fig. 8a. */
export function passCurves(r: ScoreReport): Curve[] {
  return r.scores.map((s) => ({
    name: s.checkpoint,
    points: s.passAtK.flatMap(({ k, value }) =>
      value === null
        ? []
        : [
            {
              x: k,
              y: percent(value),
              says: `pass@${k} ${percent(value).toFixed(1)}%, unbiased, over ${plural(s.passTasks, "task")} with at least ${plural(r.k, "rollout")}`,
              href: rowsOf(r, s.checkpointId, s.checkpoint),
            },
          ],
    ),
  }));
}

/** The three printed points of Fig. 8a. */
export const paperPass = (): Curve[] =>
  PAPER.pass_at_k.points.map((p) => ({
    name: `${subjectName(p.subject)} (published)`,
    published: true,
    points: [
      {
        x: p.k,
        y: p.value,
        says: `pass@${p.k} ${p.value}%, published; ${PAPER.pass_at_k.runs_per_task} runs of ${PAPER.benchmarks.tb_2_1.tasks} tasks`,
        href: null,
      },
    ],
  }));

/** Fig. 8b: tasks from the most solved to the least, by all models together. */
export function strip(r: ScoreReport): {
  tasks: string[];
  rows: { name: string; cells: (StripCell | null)[] }[];
  once: number;
} {
  const totals = new Map<number, { task: string; solved: number; attempts: number }>();
  for (const p of r.policies)
    for (const t of p.tasks) {
      const total = totals.get(t.environmentId) ?? { task: t.task, solved: 0, attempts: 0 };
      total.solved += t.solved;
      total.attempts += t.rewards.length;
      totals.set(t.environmentId, total);
    }
  const share = (t: { solved: number; attempts: number }) => (t.attempts === 0 ? -1 : t.solved / t.attempts);
  const order = [...totals].sort(([, a], [, b]) => share(b) - share(a) || (a.task < b.task ? -1 : 1));
  return {
    tasks: order.map(([, t]) => t.task),
    once: order.filter(([, t]) => t.solved > 0).length,
    rows: r.policies.map((p) => ({
      name: p.checkpoint,
      cells: order.map(([id]) => {
        const t = p.tasks.find((one) => one.environmentId === id);
        return t
          ? {
              ...{ task: t.task, solved: t.solved, attempts: t.rewards.length, void: t.void },
              href: rowsOf(r, p.checkpointId, p.checkpoint, t.task),
            }
          : null;
      }),
    })),
  };
}

/** Fig. 12a: mean SE over subsets of k runs, with the line that 1/sqrt(k) draws through the last. */
export function subsetCurves(r: ScoreReport): Curve[] {
  const own = r.scores.filter((s) => s.subsetSe.length > 0);
  return own.map((s) => ({
    name: s.checkpoint,
    points: s.subsetSe.map(({ k, value }) => ({
      x: k,
      y: percent(value),
      says: `mean SE of ${percent(value).toFixed(2)} points over all subsets of ${k} of ${s.runScores?.length} runs`,
      href: rowsOf(r, s.checkpointId, s.checkpoint),
    })),
  }));
}

/** Fig. 12a as printed. */
export function paperSubsets(): Curve[] {
  const points = PAPER.reliability.mean_se_by_k;
  const last = points.at(-1);
  return [
    {
      name: "mean of three recipes (published)",
      published: true,
      points: points.map((p) => ({ x: p.k, y: p.mean_se, says: `${p.mean_se} at k=${p.k}, published`, href: null })),
    },
    ...(last
      ? [
          {
            name: "1/√k through the last published",
            guide: true,
            points: points.map((p) => ({
              x: p.k,
              y: last.mean_se * Math.sqrt(last.k / p.k),
              says: "guide",
              href: null,
            })),
          },
        ]
      : []),
  ];
}

/** Fig. 12b: the score of each run. */
export const seedCurves = (r: ScoreReport): Curve[] =>
  r.scores
    .filter((s) => (s.runScores?.length ?? 0) > 1)
    .map((s) => ({
      name: s.checkpoint,
      points: [...(s.runScores ?? [])]
        .sort((a, b) => a - b)
        .map((score, i) => ({
          x: i + 1,
          y: percent(score),
          says: `${percent(score).toFixed(1)}%, ${i + 1} of ${s.runScores?.length} runs from the lowest; mean ${percent(s.mean ?? 0).toFixed(1)}`,
          href: rowsOf(r, s.checkpointId, s.checkpoint),
        })),
    }));

/** Means over 3 and over 16 runs as printed beside Fig. 12. */
export const paperSeeds = (): EstimateBar[] =>
  (["three_seeds", "sixteen_seeds"] as const).flatMap((key) =>
    PAPER.reliability[key].map((s) => ({
      name: `${subjectName(s.subject)}, ${key === "three_seeds" ? 3 : 16} runs`,
      value: s.mean,
      low: s.mean - s.se,
      high: s.mean + s.se,
      says: `${s.mean} ± ${s.se}, published; SE over runs of ${ONCE}`,
      href: null,
      published: true,
    })),
  );

/** Fig. 11 as printed: a curve a benchmark. */
export const paperScaling = (): Curve[] =>
  BENCHMARKS.map((b) => ({
    name: `${PAPER.benchmarks[b].name} (published)`,
    published: true,
    points: publishedScores("scaling", b).map((s) => ({
      x: s.environments ?? 0,
      y: s.mean,
      low: s.mean - s.se,
      high: s.mean + s.se,
      says: `${s.mean} ± ${s.se} with ${s.environments} environments, published; ${s.runs} runs, each size trained once`,
      href: null,
    })),
  }));

/** Fig. 11 of one's own: score over how many environments the training drew from; models of one are not on it. */
export const ownScaling = (r: ScoreReport): Curve[] => {
  const points = r.scores.flatMap((s) => {
    const environments = r.trainedIn.get(s.checkpointId);
    if (environments === undefined || s.mean === null) return [];
    const se = s.seTasks;
    return [
      {
        x: environments,
        y: percent(s.mean),
        low: se === null ? null : percent(s.mean - se),
        high: se === null ? null : percent(s.mean + se),
        says: `${s.checkpoint}, trained in ${plural(environments, "environment")}: ${says(s)}; whisker: SE over tasks`,
        href: rowsOf(r, s.checkpointId, s.checkpoint),
      },
    ];
  });
  return points.length < 2 ? [] : [{ name: "this index", points: points.sort((a, b) => a.x - b.x) }];
};

/** Differences from the first model, with 95% intervals. Points. */
export const differenceBars = (r: ScoreReport): EstimateBar[] =>
  r.differences.map(({ before, after, difference: d }) => ({
    name: `${after} − ${before}`,
    value: d.value === null ? null : percent(d.value),
    low: d.interval === null ? null : percent(d.interval.low),
    high: d.interval === null ? null : percent(d.interval.high),
    says: `${d.value === null ? "not known" : `${percent(d.value).toFixed(1)} points`} over ${plural(d.clusters, "task")} that both attempted; p ${d.p === null ? "not known" : d.p.toFixed(4)} of swapping the two within tasks; ${d.unpaired} attempted by one only`,
    href: listHref({ model: [before, after] }),
  }));

/** Shares of misbehaviors, a bar a model and misbehavior that was seen at all. */
export const shareBars = (
  shares: readonly MisbehaviorShare[],
  of: "ofErrorSteps" | "ofTrajectories",
): EstimateBar[] => {
  const seen = new Set(shares.filter((s) => s.ofTrajectories.numerator > 0).map((s) => s.slug));
  return [...seen].flatMap((slug) =>
    shares
      .filter((s) => s.slug === slug)
      .map((s) => ({
        name: `${slug}, ${s.checkpoint}`,
        value: s[of].value === null ? null : percent(s[of].value),
        low: s[of].interval === null ? null : percent(s[of].interval.low),
        high: s[of].interval === null ? null : percent(s[of].interval.high),
        says: `${s[of].numerator} of ${s[of].denominator} ${of === "ofErrorSteps" ? "error steps" : "trajectories"}, ${plural(s[of].clusters, "task")}; 95% interval over tasks`,
        href: listHref({ model: [s.checkpoint], misbehavior: slug }),
      })),
  );
};
