import { PAPER, subjectName } from "@/lib/evaluate/paper/published";
import type { TrainingReport } from "./report";

/** What trainings use up (paper Fig. 9 and 10, Table 4). */
export const RESOURCES = ["rollouts", "environments", "tokens", "busy", "wall", "dead", "cost"] as const;
export type Resource = (typeof RESOURCES)[number];

export const RESOURCE_NAMES: Record<Resource, { name: string; unit: string; say: "count" | "percent" | "money" }> = {
  rollouts: { name: "Rollouts", unit: "rollouts", say: "count" },
  environments: { name: "Environments", unit: "environments", say: "count" },
  tokens: { name: "Sampled tokens", unit: "million tokens", say: "money" },
  busy: { name: "Rollout time, added up", unit: "minutes", say: "count" },
  wall: { name: "Wall time of steps", unit: "minutes", say: "count" },
  dead: { name: "Dead groups", unit: "% of groups", say: "percent" },
  cost: { name: "Cost of model calls", unit: "USD", say: "money" },
};

export interface ResourceRow {
  name: string;
  trainingId: number | null;
  /** null: not known. */
  parts: { label: string; value: number | null }[];
  says: string;
  published: boolean;
}

type Measured = Pick<
  TrainingReport,
  | "id"
  | "name"
  | "recipe"
  | "rollouts"
  | "environments"
  | "groups"
  | "dead"
  | "deadShare"
  | "costs"
  | "unpriced"
  | "phases"
  | "wall"
>;

const minutes = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : ms / 60_000);
const millions = (n: number | null | undefined) => (n === null || n === undefined ? null : n / 1e6);

/** What a training used of a resource, by part; preprocessing is what its starts came from. */
export function resourceOf(t: Measured, resource: Resource): ResourceRow {
  const phase = (name: string) => t.phases.find((p) => p.phase === name);
  const row = (parts: ResourceRow["parts"], says: string): ResourceRow => ({
    name: t.name,
    trainingId: t.id,
    parts,
    says: `${t.recipe}; ${says}`,
    published: false,
  });
  const [profile, rerun, own] = [phase("profile"), phase("rerun"), phase("rollouts")];
  switch (resource) {
    case "rollouts":
      return row(
        [
          { label: "preprocessing", value: profile?.rollouts ?? 0 },
          { label: "RL", value: t.rollouts },
        ],
        "rollouts of the profiles its starts came from, and its own",
      );
    case "environments":
      return row([{ label: "RL", value: t.environments }], "environments that its groups started in");
    case "tokens":
      return row(
        [
          { label: "preprocessing", value: profile ? millions(profile.tokens) : 0 },
          { label: "RL", value: millions(own?.tokens) },
        ],
        "tokens that the policy sampled",
      );
    case "busy":
      return row(
        [
          { label: "preprocessing", value: profile ? minutes(profile.busyMs) : 0 },
          { label: "reruns", value: rerun ? minutes(rerun.busyMs) : 0 },
          { label: "RL", value: minutes(own?.busyMs) },
        ],
        "time of rollouts and reruns in policy and sandbox, added up over those that ran beside each other",
      );
    case "wall":
      return row(
        [
          { label: "rollouts", value: minutes(t.wall.rollouts) },
          { label: "learning", value: minutes(t.wall.learn) },
        ],
        "wall time of its steps",
      );
    case "dead":
      return row([{ label: "RL", value: 100 * t.deadShare }], `${t.dead} of ${t.groups} groups without spread`);
    case "cost":
      return row(
        [{ label: "RL", value: t.unpriced > 0 && t.costs.USD === undefined ? null : (t.costs.USD ?? 0) / 1e9 }],
        t.unpriced > 0
          ? `model calls of its job; ${t.unpriced} more have no cost`
          : "model calls of its job in USD; other currencies are in the table",
      );
  }
}

/** What the paper printed of a resource; what it did not print is not in it. */
export function publishedResource(resource: Resource): ResourceRow[] {
  const value: Partial<Record<Resource, (row: (typeof PAPER.resources.rows)[number]) => number>> = {
    rollouts: (r) => r.rollouts.value,
    environments: (r) => r.environments,
    tokens: (r) => r.output_tokens.value / 1e6,
    dead: (r) => r.dead_group_share_percent,
    cost: (r) => r.total_cost_usd,
  };
  const read = value[resource];
  if (!read) return [];
  return PAPER.resources.rows.map((r) => ({
    name: subjectName(r.subject),
    trainingId: null,
    parts: [{ label: "all", value: read(r) }],
    says: "MiRL paper, Fig. 10, as printed: up to the best checkpoint, preprocessing included",
    published: true,
  }));
}

const sumOf = ({ parts }: ResourceRow): number | null =>
  parts.some((p) => p.value === null) ? null : parts.reduce((sum, p) => sum + (p.value ?? 0), 0);

/** Each row as a change in percent against another (paper Fig. 9); null where either is not known or the other is 0. */
export function changesAgainst(rows: readonly ResourceRow[], against: ResourceRow): ResourceRow[] {
  const base = sumOf(against);
  return rows
    .filter((row) => row !== against)
    .map((row) => {
      const sum = sumOf(row);
      const value = base === null || base === 0 || sum === null ? null : 100 * (sum / base - 1);
      return { ...row, parts: [{ label: "change", value }], says: `against ${against.name}: ${row.says}` };
    });
}
