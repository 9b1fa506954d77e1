import type { MisbehaviorOverview } from "@/db/queries/misbehaviors";
import type { ProfileSummary } from "@/db/queries/profiles";
import { PUBLISHED } from "@/lib/profile/published";
import { sharePercent } from "@/lib/text/format";
import type { DistributionRow } from "./distribution";

/**
 * Rows of the distribution chart: each misbehavior, at least one of them, none of them. `linked`: id of the taxonomy
 * version that links name; null for the one in force.
 */
export function distributionRows(overview: MisbehaviorOverview, linked: number | null = null): DistributionRow[] {
  const query = linked === null ? "" : `?taxonomy=${linked}`;
  const at = linked === null ? "" : `@${linked}`;
  const { all, corpus } = overview;
  const published = new Map<string, (typeof PUBLISHED.rows)[number]>(PUBLISHED.rows.map((r) => [r.slug, r]));
  const row = (
    name: string,
    href: string,
    counts: { errorSteps: number; environments: number },
    p?: { shareOfErrorSteps: number; shareOfEnvironments: number },
  ) => ({
    name,
    href,
    steps: sharePercent(counts.errorSteps, all.errorSteps),
    environments: sharePercent(counts.environments, corpus.environments),
    publishedSteps: p?.shareOfErrorSteps ?? null,
    publishedEnvironments: p?.shareOfEnvironments ?? null,
  });
  return [
    ...overview.rows.map((m) => row(m.name, `/misbehaviors/${m.slug}${query}`, m, published.get(m.slug))),
    row("At least one of these", `/trajectories?misbehavior=named${at}`, overview.named, PUBLISHED.together),
    row("Unlabelled", `/misbehaviors/unlabelled${query}`, overview.unlabelled),
  ];
}

/** The same rows for one profile. `environments`: those with a rollout that ended. Where at least one occurs is not known. */
export function profileDistribution(
  misbehaviors: readonly { slug: string; name: string }[],
  summary: Pick<ProfileSummary, "types" | "untyped" | "errorSteps" | "environments">,
): DistributionRow[] {
  const published = new Map<string, (typeof PUBLISHED.rows)[number]>(PUBLISHED.rows.map((r) => [r.slug, r]));
  const counts = new Map(summary.types.map((type) => [type.slug, type]));
  return [
    ...misbehaviors.map(({ slug, name }) => ({
      name,
      href: `/misbehaviors/${slug}`,
      steps: sharePercent(counts.get(slug)?.errorSteps ?? 0, summary.errorSteps),
      environments: sharePercent(counts.get(slug)?.environments ?? 0, summary.environments),
      publishedSteps: published.get(slug)?.shareOfErrorSteps ?? null,
      publishedEnvironments: published.get(slug)?.shareOfEnvironments ?? null,
    })),
    {
      name: "Unlabelled",
      href: "/misbehaviors/unlabelled",
      steps: sharePercent(summary.untyped, summary.errorSteps),
      environments: null,
      publishedSteps: null,
      publishedEnvironments: null,
    },
  ];
}

/** What the published bars are, in words. */
export const publishedNote = `${PUBLISHED.source}, ${PUBLISHED.policy}, ${PUBLISHED.errorSteps.toLocaleString("en-US")} error steps of a model-backed localizer`;
