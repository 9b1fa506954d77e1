import { PAPER, subjectName } from "@/lib/evaluate/paper/published";
import type { PolicyAttempts } from "@/lib/evaluate/scores/attempts";
import { scoreSummary } from "@/lib/evaluate/scores/summary";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import { recipeTitle } from "@/lib/study/report/subjects";
import type { Block, Figure, ReportCurve } from "@/lib/study/report/types";
import { plural } from "@/lib/text/format";

/** Runs of most tasks of a policy. */
const runsOf = (p: PolicyAttempts): number => {
  const sorted = p.tasks.map((t) => t.rewards.length).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

/** Base and, of each recipe, its checkpoint that was run most often; `k`: what its pass@k can be drawn up to. */
export function deepest({ attempts, subjects }: Context): {
  name: string;
  recipe: string | null;
  policy: PolicyAttempts;
  k: number;
}[] {
  const base = subjects.base && attempts.get(subjects.base.id);
  const trained = subjects.recipes.flatMap((recipe) => {
    const own = subjects.trained.flatMap(
      (t) => (t.recipe === recipe && t.checkpoint && attempts.get(t.checkpoint.id)) || [],
    );
    const best = own.sort((a, b) => runsOf(b) - runsOf(a))[0];
    return best ? [{ name: recipeTitle(recipe), recipe, policy: best, k: runsOf(best) }] : [];
  });
  return [...(base ? [{ name: "Base", recipe: null, policy: base, k: runsOf(base) }] : []), ...trained];
}

const SHOWN = ["mirl", "outcome-random", "outcome-prefix"];

/** pass@k and how often each task is solved. */
export function figure8(c: Context): Figure {
  const shown = deepest(c).filter((p) => p.recipe === null || SHOWN.includes(p.recipe));
  const curves = shown.map(({ name, policy, k }): ReportCurve => {
    const s = scoreSummary(policy, "solved", k);
    return {
      name: `${name} (${policy.checkpoint})`,
      points: s.passAtK.flatMap((p) =>
        p.value === null
          ? []
          : [
              {
                x: p.k,
                y: 100 * p.value,
                says: `pass@${p.k} ${(100 * p.value).toFixed(1)}% over ${plural(s.passTasks, "task")} with at least ${k} attempts`,
                href: LINKS.scores([policy.checkpoint]),
              },
            ],
      ),
    };
  });
  const rate = (id: number) =>
    shown.reduce((sum, { policy }) => {
      const t = policy.tasks.find((one) => one.environmentId === id);
      return sum + (t && t.rewards.length > 0 ? t.solved / t.rewards.length : 0);
    }, 0);
  const tasks = [
    ...new Map(shown.flatMap(({ policy }) => policy.tasks.map((t) => [t.environmentId, t.task] as const))),
  ].sort(([a, x], [b, y]) => rate(b) - rate(a) || (x < y ? -1 : 1));
  const own: Block[] =
    shown.length < 2
      ? []
      : [
          {
            kind: "curves",
            name: "figure-8-own",
            title: `Own pass@k, up to ${Math.max(...shown.map((x) => x.k))} runs a task`,
            xLabel: "k",
            yLabel: "pass@k (%)",
            note: "Unbiased, of one checkpoint a recipe: the one run most often. Never beyond the attempts of a task: curves end where their runs do.",
            curves,
          },
          {
            kind: "strip",
            name: "figure-8-tasks",
            title: "How often each environment is solved",
            note: "From the most solved to the least.",
            tasks: tasks.map(([, name]) => name),
            rows: shown.map(({ name, policy }) => ({
              name,
              cells: tasks.map(([id, task]) => {
                const t = policy.tasks.find((one) => one.environmentId === id);
                return t
                  ? {
                      task,
                      solved: t.solved,
                      attempts: t.rewards.length,
                      void: t.void,
                      href: LINKS.attempts(policy.checkpoint, task),
                    }
                  : null;
              }),
            })),
          },
        ];
  const { figure_8b: printed } = PAPER.pass_at_k;
  const solved = tasks.filter(([id]) => rate(id) > 0).length;
  return {
    id: "figure-8",
    number: "Figure 8",
    title: "pass@k",
    blocks: [
      ...own,
      {
        kind: "bars",
        name: "figure-8-published",
        title: "Published pass@16, Terminal-Bench 2.1",
        unit: "%",
        whisker: "none printed",
        note: "Only the right ends of the curves are printed; the base catches up with TMax-4B at about k = 11.",
        bars: PAPER.pass_at_k.points.map((p) => ({
          name: subjectName(p.subject),
          value: p.value,
          low: null,
          high: null,
          says: `${p.value}%, published`,
          href: null,
          published: true,
        })),
      },
    ],
    absent:
      shown.length < 2
        ? "No two checkpoints are scored yet."
        : shown.some((x) => x.k < 16)
          ? `Curves that end before k = 16 cannot show whether they cross later: ${shown
              .filter((x) => x.k < 16)
              .map((x) => `${x.name} has ${plural(x.k, "run")}`)
              .join(", ")}.`
          : null,
    notes: [
      ...(shown.length < 2
        ? []
        : [`${solved} of ${plural(tasks.length, "environment")} solved at least once by one of these.`]),
      `Published: ${printed.solved_at_least_once} of ${printed.tasks} tasks solved at least once.`,
    ],
  };
}
