import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { familyOf } from "@/lib/environment/suite/generate";
import { canOccur } from "@/lib/environment/suite/wrong";
import { MISBEHAVIOR_SLUGS } from "@/lib/profile/misbehaviors";
import { type Cluster, clusterBootstrap } from "./bootstrap";
import { type Interval, wilson } from "./intervals";

/** A rate with what it is made of. `per`: what one of the denominator is. */
export interface Rate {
  /** passed | submitted | misbehavior:<slug> | error-steps | format-errors */
  metric: string;
  numerator: number;
  denominator: number;
  per: "rollout" | "step";
  /** 95%; null when the denominator is 0. */
  interval: Interval | null;
  /** How the interval is made; wilson-environments: see rate(). */
  method: "wilson" | "cluster-bootstrap" | "wilson-environments";
}

/** A rollout as rates count it. */
export interface CountedRollout {
  environmentId: number;
  number: number;
  trajectoryId: number | null;
  family: string | null;
  status: string;
  ended: string | null;
  outcomeReward: number | null;
  voidReason: string | null;
  steps: number;
  errorSteps: number;
  formatErrors: number;
  /** Misbehaviors of its active error steps. */
  slugs: string[];
}

/** Rollouts of a profile with what they showed. */
export function countedRollouts(db: Db, profileId: number): CountedRollout[] {
  return db.$client
    .prepare<[number], Omit<CountedRollout, "slugs"> & { slugs: string }>(
      `select r.environment_id as environmentId, r.number, r.trajectory_id as trajectoryId, v.family, r.status, r.ended,
         r.outcome_reward as outcomeReward, r.void_reason as voidReason, r.steps, r.error_steps as errorSteps,
         r.format_errors as formatErrors,
         (select json_group_array(distinct t.slug) from error_step e
            join label l on l.step_id = e.step_id and l.current = 1 and l.value = 'yes'
            join error_type t on t.id = l.error_type_id join taxonomy x on x.id = t.taxonomy_id
            where x.origin in ('builtin', 'dataset') and e.trajectory_id = r.trajectory_id and e.active = 1
              and e.step_id between r.trajectory_id * ${SPAN} and r.trajectory_id * ${SPAN} + ${SPAN - 1}) as slugs
       from profile_rollout r join environment v on v.id = r.environment_id
       where r.profile_id = ? order by v.name, r.number`,
    )
    .all(profileId)
    .map((row) => ({ ...row, slugs: JSON.parse(row.slugs) as string[] }));
}

/** Per environment, what each of its rollouts adds. `of` null: the rollout does not count. */
function rate(
  metric: string,
  per: Rate["per"],
  rollouts: readonly CountedRollout[],
  of: (r: CountedRollout) => [numerator: number, denominator: number] | null,
  seed: number,
): Rate {
  const clusters = new Map<number, Cluster>();
  let alone = per === "rollout";
  const seen = new Set<number>();
  for (const r of rollouts) {
    const counted = of(r);
    if (counted === null) continue;
    if (seen.has(r.environmentId)) alone = false;
    seen.add(r.environmentId);
    const cluster = clusters.get(r.environmentId) ?? { numerator: 0, denominator: 0 };
    clusters.set(r.environmentId, {
      numerator: cluster.numerator + counted[0],
      denominator: cluster.denominator + counted[1],
    });
  }
  const all = [...clusters.values()];
  const numerator = all.reduce((n, c) => n + c.numerator, 0);
  const denominator = all.reduce((n, c) => n + c.denominator, 0);
  const made = { metric, per, numerator, denominator };
  // One rollout an environment: independent trials. Else rollouts, or steps, of one environment resemble each other.
  if (alone) return { ...made, interval: wilson(numerator, denominator), method: "wilson" };
  if (numerator > 0 && numerator < denominator)
    return { ...made, interval: clusterBootstrap(all, `${seed}\0${metric}`), method: "cluster-bootstrap" };
  // Nothing, or everything: no resample differs. An environment then counts as one trial, which is on the safe side.
  const counted = all.filter((c) => c.denominator > 0).length;
  return { ...made, interval: wilson(numerator > 0 ? counted : 0, counted), method: "wilson-environments" };
}

const occurring = new Map<string, string[]>();
function occursIn(family: string | null, slug: string): boolean {
  if (family === null) return true;
  let slugs = occurring.get(family);
  if (!slugs) {
    slugs = canOccur(familyOf(family));
    occurring.set(family, slugs);
  }
  return slugs.includes(slug);
}

/**
 * What a plain profile measures of its policy: outcome and submissions a rollout, each misbehavior's share of the rollouts
 * in whose environment it can occur, error steps and malformed replies a step. Void rollouts are in none of them.
 */
export function profileRates(rollouts: readonly CountedRollout[], seed: number): Rate[] {
  const made = rollouts.filter((r) => r.status !== "void");
  const yes = (hit: boolean): [number, number] => [hit ? 1 : 0, 1];
  return [
    rate("passed", "rollout", made, (r) => (r.outcomeReward === null ? null : yes(r.outcomeReward >= 1)), seed),
    rate("submitted", "rollout", made, (r) => yes(r.ended === "submitted"), seed),
    ...MISBEHAVIOR_SLUGS.map((slug) =>
      rate(
        `misbehavior:${slug}`,
        "rollout",
        made,
        (r) => (occursIn(r.family, slug) ? yes(r.slugs.includes(slug)) : null),
        seed,
      ),
    ),
    rate("error-steps", "step", made, (r) => [r.errorSteps, r.steps], seed),
    rate("format-errors", "step", made, (r) => [r.formatErrors, r.steps], seed),
  ];
}
