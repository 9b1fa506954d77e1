import { PAPER, subjectName } from "@/lib/evaluate/paper/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import { recipeTitle } from "@/lib/study/report/subjects";
import type { TrainingUse } from "@/lib/study/report/training";
import type { Block, Figure, ReportStack } from "@/lib/study/report/types";

/** A resource of a training, up to its chosen checkpoint, with what the paper printed of it. null: not known. */
interface Resource {
  id: string;
  name: string;
  unit: string;
  before: (u: TrainingUse) => number | null;
  own: (u: TrainingUse) => number | null;
  printed: ((row: (typeof PAPER.resources.rows)[number]) => number) | null;
}

const scaled = (x: number | null | undefined, by: number) => (x === null || x === undefined ? null : x / by);

export const RESOURCES: readonly Resource[] = [
  {
    id: "rollouts",
    name: "Rollouts",
    unit: "rollouts",
    before: (u) => u.before?.rollouts ?? 0,
    own: (u) => u.rollouts,
    printed: (row) => row.rollouts.value,
  },
  {
    id: "tokens",
    name: "Output tokens",
    unit: "thousand tokens",
    before: (u) => (u.before ? scaled(u.before.tokens, 1e3) : 0),
    own: (u) => scaled(u.tokens, 1e3),
    printed: (row) => row.output_tokens.value / 1e3,
  },
  {
    id: "busy",
    name: "Rollout time, added up",
    unit: "minutes",
    before: (u) => (u.before ? scaled(u.before.busyMs, 60_000) : 0),
    own: (u) => scaled(u.busyMs, 60_000),
    printed: null,
  },
  {
    id: "environments",
    name: "Environments trained in",
    unit: "environments",
    before: () => 0,
    own: (u) => u.environments,
    printed: null,
  },
];

const mean = (values: readonly (number | null)[]): number | null =>
  values.length === 0 || values.some((v) => v === null)
    ? null
    : (values as number[]).reduce((a, b) => a + b, 0) / values.length;

/** A recipe's mean over its seeds: before the training, and in it. */
function meanUse(uses: readonly TrainingUse[], recipe: string, resource: Resource) {
  const own = uses.filter((u) => u.recipe === recipe);
  return own.length === 0
    ? null
    : { uses: own, before: mean(own.map(resource.before)), training: mean(own.map(resource.own)) };
}

const FOUR = ["outcome-random", "pivotrl", "rar+", "mirl", "outcome-prefix", "outcome-env"];

/** What each recipe used, preprocessing apart (Fig. 10). */
export function figure10({ uses }: Context): Figure {
  const stacks = (resource: Resource): ReportStack[] =>
    FOUR.flatMap((recipe) => {
      const used = meanUse(uses, recipe, resource);
      if (!used) return [];
      const first = used.uses[0] as TrainingUse;
      return [
        {
          name: recipeTitle(recipe),
          parts: [
            { label: "preprocessing", value: used.before },
            { label: "RL", value: used.training },
          ],
          says: `mean of ${used.uses.length} training seeds, up to step ${used.uses.map((u) => u.step ?? "not chosen").join(", ")}`,
          href: LINKS.training(first.runId),
        },
      ];
    });
  const blocks = RESOURCES.flatMap((resource): Block[] => {
    const own = stacks(resource);
    if (own.length === 0) return [];
    return [
      {
        kind: "stacks",
        name: `figure-10-${resource.id}`,
        title: resource.name,
        unit: resource.unit,
        say: "count",
        bars: own,
      },
    ];
  });
  const dead: Block[] =
    uses.length === 0
      ? []
      : [
          {
            kind: "table",
            name: "figure-10-dead",
            title: "Groups without any paid rollout (dead, as the paper counts), up to the chosen checkpoint",
            header: ["Recipe", "Seed", "Groups", "Dead", "Dead (%)", "Without spread (%)", "Published dead (%)"],
            links: uses.map((u) => LINKS.training(u.runId)),
            rows: uses.map((u) => [
              recipeTitle(u.recipe),
              u.seed,
              u.groups,
              u.unpaid,
              u.groups === 0 ? null : Number(((100 * u.unpaid) / u.groups).toFixed(1)),
              u.groups === 0 ? null : Number(((100 * u.dead) / u.groups).toFixed(1)),
              deadPrinted(u.recipe) ?? "not printed",
            ]),
          },
        ];
  return {
    id: "figure-10",
    number: "Figure 10",
    title: "Training resources",
    blocks: [
      ...blocks,
      ...dead,
      {
        kind: "table",
        name: "figure-10-published",
        title: "Published, up to the best checkpoint",
        header: [
          "Recipe",
          "Rollouts",
          "Input tokens",
          "Output tokens",
          "Environments",
          "A100 hours",
          "API fee ($)",
          "Total ($)",
          "Best step",
        ],
        rows: PAPER.resources.rows.map((r) => [
          subjectName(r.subject),
          r.rollouts.printed,
          r.input_tokens.printed,
          r.output_tokens.printed,
          r.environments,
          r.gpu_hours_a100,
          r.api_fee_usd,
          r.total_cost_usd,
          r.best_step ?? "not printed",
        ]),
      },
    ],
    absent:
      uses.length === 0
        ? "No training has ended yet."
        : "Input tokens, GPU hours and money have no counterpart: the policy runs on processor cores of this machine and no call is paid for. Time of rollouts stands for them.",
    notes: [
      "Up to the chosen checkpoint of each training, as in the paper. Rollouts of the profile are whole in every recipe that starts from it.",
    ],
  };
}

/** Share of dead groups that the paper printed of a recipe, percent. */
export function deadPrinted(recipe: string): number | null {
  const subject = { mirl: "mirl", "outcome-random": "tmax-189", pivotrl: "pivotrl", "rar+": "rar+" }[recipe];
  if (recipe === "outcome-env") return PAPER.resources.extra_dead_groups[0]?.dead_group_share_percent ?? null;
  return PAPER.resources.rows.find((r) => r.subject === subject)?.dead_group_share_percent ?? null;
}

/** MiRL against the standard recipe, as changes in percent (Fig. 9). */
export function figure9({ uses }: Context): Figure {
  const change = (a: number | null, b: number | null) =>
    a === null || b === null || b === 0 ? null : 100 * (a / b - 1);
  const all = (resource: Resource, recipe: string) => {
    const used = meanUse(uses, recipe, resource);
    return used === null || used.before === null || used.training === null ? null : used.before + used.training;
  };
  const printed = PAPER.resources.rows;
  const of = (subject: string) => printed.find((r) => r.subject === subject);
  const [mirl, small] = [of("mirl"), of("tmax-189")];
  const first = uses.find((u) => u.recipe === "mirl");
  const bar = (name: string, value: number | null, published: boolean, says: string, href: string | null) => ({
    name,
    parts: [{ label: "change", value }],
    says,
    href,
    published,
  });
  const own = RESOURCES.map((resource) =>
    bar(
      resource.name,
      change(all(resource, "mirl"), all(resource, "outcome-random")),
      false,
      `MiRL ${all(resource, "mirl")?.toFixed(1) ?? "not known"} against ${all(resource, "outcome-random")?.toFixed(1) ?? "not known"} ${resource.unit}, preprocessing included`,
      first ? LINKS.training(first.runId) : null,
    ),
  );
  const changes = PAPER.resources.figure_9_changes_percent;
  return {
    id: "figure-9",
    number: "Figure 9",
    title: "MiRL's resources against the standard recipe",
    blocks: [
      ...(uses.length === 0
        ? []
        : [
            {
              kind: "stacks" as const,
              name: "figure-9-own",
              title: `Own: MiRL against “${recipeTitle("outcome-random")}”`,
              unit: "change, %",
              say: "percent" as const,
              bars: own,
            },
          ]),
      {
        kind: "stacks",
        name: "figure-9-published",
        title: "Published: MiRL against TMax-4B",
        unit: "change, %",
        say: "percent",
        note: "The full recipe, trained to its best step of 500.",
        bars: (["rollouts", "input_tokens", "output_tokens", "environments", "gpu_hours", "total_cost"] as const).map(
          (key) => bar(key.replace("_", " "), changes[key], true, "MiRL paper, Fig. 9, as printed", null),
        ),
      },
      {
        kind: "stacks",
        name: "figure-9-published-189",
        title: "Published: MiRL against TMax-189, worked out from Fig. 10",
        unit: "change, %",
        say: "percent",
        note: "The same number of environments: what the own comparison is about.",
        bars: [
          bar(
            "rollouts",
            change(mirl?.rollouts.value ?? null, small?.rollouts.value ?? null),
            true,
            "from Fig. 10",
            null,
          ),
          bar(
            "output tokens",
            change(mirl?.output_tokens.value ?? null, small?.output_tokens.value ?? null),
            true,
            "from Fig. 10",
            null,
          ),
          bar(
            "gpu hours",
            change(mirl?.gpu_hours_a100 ?? null, small?.gpu_hours_a100 ?? null),
            true,
            "from Fig. 10",
            null,
          ),
        ],
      },
    ],
    absent:
      uses.length === 0
        ? "No training has ended yet."
        : "The full recipe TMax-4B is not trained here: the own comparison is with the recipe on as many environments chosen at random, for as many steps.",
    notes: [],
  };
}
