import { PAPER } from "@/lib/evaluate/paper/published";
import { rateOf } from "@/lib/evaluate/stats/rate";
import { MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import { PUBLISHED } from "@/lib/profile/published";
import type { Context } from "@/lib/study/report/context";
import { LINKS } from "@/lib/study/report/links";
import { range } from "@/lib/study/report/say";
import { misbehaviorName } from "@/lib/study/report/subjects";
import type { Block, Figure, ReportBar } from "@/lib/study/report/types";
import { plural, sharePercent } from "@/lib/text/format";

/** Environments and error steps with a named misbehavior, with intervals over environments; null without a finished taxonomy. */
export function together({ errors }: Pick<Context, "errors">) {
  if (errors.length === 0) return null;
  return {
    steps: rateOf(
      errors.map((e) => ({ numerator: e.named, denominator: e.errorSteps })),
      { key: "study error steps" },
    ),
    environments: rateOf(
      errors.map((e) => ({ numerator: e.named > 0 ? 1 : 0, denominator: 1 })),
      { key: "study environments" },
    ),
  };
}

const printed = new Map<string, (typeof PAPER.misbehaviors.rows)[number]>(
  PAPER.misbehaviors.rows.map((row) => [row.id, row]),
);

const SLUGS = new Map<string, string>(MISBEHAVIORS.map((m) => [m.name, m.slug]));
/** A taxonomy that a study built has slugs of its own; a type with the name of a published one is that one. */
const slugOf = (type: { name: string; slug: string }): string => SLUGS.get(type.name) ?? type.slug;

/** One share of every type, own then published. */
function bars(c: Context, of: "errorSteps" | "environments"): ReportBar[] {
  const { profile } = c;
  const all = together(c);
  const whole = of === "errorSteps" ? all?.steps.denominator : all?.environments.denominator;
  const rate = of === "errorSteps" ? all?.steps : all?.environments;
  const key = of === "errorSteps" ? "share_of_error_steps" : "share_of_environments";
  const own: ReportBar[] = c.types.map((t) => ({
    name: t.name,
    value: sharePercent(t[of], whole ?? 0),
    low: null,
    high: null,
    says: `${t[of]} of ${plural(whole ?? 0, of === "errorSteps" ? "error step" : "environment")}`,
    href: LINKS.misbehavior(slugOf(t)),
  }));
  const known = rate && rate.value !== null ? rate : null;
  return [
    ...own,
    ...(known
      ? [
          {
            name: "At least one of these",
            value: 100 * (known.value as number),
            low: known.interval ? 100 * known.interval.low : null,
            high: known.interval ? 100 * known.interval.high : null,
            says: `${known.numerator} of ${known.denominator}; ${range(known.interval, (x) => `${(100 * x).toFixed(1)}%`)} over environments`,
            href: profile ? LINKS.profile(profile.id) : null,
          },
        ]
      : []),
    ...PUBLISHED.rows.map((row) => ({
      name: misbehaviorName(row.slug),
      value: printed.get(row.slug)?.[key] ?? null,
      low: null,
      high: null,
      says: `${printed.get(row.slug)?.[key]}%, published`,
      href: null,
      published: true,
    })),
    {
      name: "at least one of the eight",
      value: PAPER.misbehaviors.together[key],
      low: null,
      high: null,
      says: `${PAPER.misbehaviors.together[key]}%, published`,
      href: null,
      published: true,
    },
  ];
}

/** Why own shares of named misbehaviors are no finding. */
export const CIRCULAR =
  "The localizer here is the eight rules, which see nothing but these misbehaviors: that they cover the error steps is how they were found, not a finding. Compare the order and the spread over environments.";

const UNFINISHED = "Profile or taxonomy is not finished.";

/** Whether rules acted as the localizer of the profile. */
export const isCircular = ({ profile }: Pick<Context, "profile">): boolean =>
  (profile?.settings as { localizer?: { use?: string } | null } | undefined)?.localizer?.use !== "model";

/** Error steps by type, and environments they occur in. */
export function figure4(c: Context): Figure {
  const all = together(c);
  const blocks: Block[] = (["errorSteps", "environments"] as const).map((of) => ({
    kind: "bars",
    name: `figure-4-${of}`,
    title: of === "errorSteps" ? "Share of error steps" : "Share of environments it occurs in",
    unit: "%",
    whisker: "95% interval over environments, where one is drawn",
    note: "A step or an environment can have more than one.",
    bars: bars(c, of),
  }));
  return {
    id: "figure-4",
    number: "Figure 4",
    title: "Error types",
    blocks,
    absent: all === null ? UNFINISHED : isCircular(c) ? CIRCULAR : null,
    notes: all
      ? [`${plural(all.steps.denominator - all.steps.numerator, "error step")} of no named misbehavior: the long tail.`]
      : [],
  };
}

/** The numbers of Fig. 4 by misbehavior. */
export function table2(c: Context): Figure {
  const all = together(c);
  const round = (x: number | null | undefined) => (x === null || x === undefined ? null : Number(x.toFixed(1)));
  const own = new Map(c.types.map((t) => [slugOf(t), t]));
  const slugs = [...new Set([...PUBLISHED.rows.map((r) => r.slug as string), ...own.keys()])];
  return {
    id: "table-2",
    number: "Table 2",
    title: "Shares of error steps and environments",
    blocks: [
      {
        kind: "table",
        name: "table-2",
        title: all
          ? `${plural(all.steps.denominator, "error step")} in ${plural(all.environments.denominator, "environment")}; published ${plural(PAPER.misbehaviors.error_steps_total, "error step")} in ${plural(PAPER.misbehaviors.environments_total, "environment")}`
          : "Published alone",
        header: [
          "Misbehavior",
          "Error steps",
          "Steps (%)",
          "Published steps (%)",
          "Environments",
          "Environments (%)",
          "Published environments (%)",
        ],
        links: [...slugs.map(LINKS.misbehavior), null],
        rows: [
          ...slugs.map((slug) => {
            const t = own.get(slug);
            const p = printed.get(slug);
            // What the taxonomy does not name was not counted: that is no zero.
            const share = (n: number | undefined, of: number | undefined) =>
              n === undefined ? null : round(sharePercent(n, of ?? 0));
            return [
              t?.name ?? misbehaviorName(slug),
              t?.errorSteps ?? null,
              share(t?.errorSteps, all?.steps.denominator),
              p?.share_of_error_steps ?? "not in the paper",
              t?.environments ?? null,
              share(t?.environments, all?.environments.denominator),
              p?.share_of_environments ?? "not in the paper",
            ];
          }),
          [
            "Together",
            all?.steps.numerator ?? null,
            round(all?.steps.value == null ? null : 100 * all.steps.value),
            PAPER.misbehaviors.together.share_of_error_steps,
            all?.environments.numerator ?? null,
            round(all?.environments.value == null ? null : 100 * all.environments.value),
            PAPER.misbehaviors.together.share_of_environments,
          ],
        ],
      },
    ],
    absent: all === null ? UNFINISHED : isCircular(c) ? CIRCULAR : null,
    notes: [],
  };
}
