import "server-only";
import type { Db } from "@/db/client";
import { one } from "./prepared";

/**
 * Unaided: a whole rollout that nobody helped. Not one that goes on from a prefix or is a part of another trajectory,
 * nor one of a profile in which a teacher corrects or errors are injected, not even where it happened to need no help:
 * those that need none are no fair sample. Only unaided rollouts compare policies.
 */
const TAUGHT = `select r.trajectory_id from profile p join profile_rollout r on r.profile_id = p.id
  where p.mode <> 'plain' and r.trajectory_id is not null`;

/** Condition on `trajectory t`. The plus keeps the planner from walking the index over parents. */
export const UNAIDED = `(+t.parent_id is null and t.id not in (${TAUGHT}))`;

/** The other ones, as rows of `id`: found by indexes, so that an index of imports alone pays nothing for them. */
export const AIDED = `(select id from trajectory where parent_id is not null union ${TAUGHT})`;

/** Whether this index has any aided rollout: where it has none, nothing need be said of it. */
export const hasAided = (db: Db): boolean =>
  one<{ any: number }>(
    db,
    `select exists (select 1 from trajectory where parent_id is not null) or exists (${TAUGHT}) as any`,
  )?.any === 1;

/** How rollouts came out, and what they hold. */
export interface Tally {
  trajectories: number;
  steps: number;
  errorSteps: number;
  passed: number;
  partial: number;
  failed: number;
  /** Without a known outcome: in no denominator of outcomes. */
  unknown: number;
}

const TALLIES = [
  ["trajectories", "sum(t)", "sum(t - ta)"],
  ["steps", "sum(s)", "sum(s - sa)"],
  ["errorSteps", "sum(e)", "sum(e - ea)"],
  ...["passed", "partial", "failed", "unknown"].map((outcome) => [
    outcome,
    `sum(t * (outcome = '${outcome}'))`,
    `sum((t - ta) * (outcome = '${outcome}'))`,
  ]),
] as const;

const unaidedName = (name: string): string => `unaided_${name}`;

/**
 * Tallies by checkpoint (0: not stated), of all trajectories and, as `unaided_…`, of the unaided ones: the maintained
 * counters, less what is found to be aided.
 */
export const TALLIES_BY_CHECKPOINT = `select checkpoint_id, ${TALLIES.map(([name, all, unaided]) => `${all} as ${name}, ${unaided} as ${unaidedName(name ?? "")}`).join(", ")}
  from (select checkpoint_id, outcome, sum(trajectories) as t, sum(steps) as s, sum(error_steps) as e, sum(ta) as ta, sum(sa) as sa, sum(ea) as ea
    from (select checkpoint_id, outcome, trajectories, steps, error_steps, 0 as ta, 0 as sa, 0 as ea from corpus_count
      union all select ifnull(t.checkpoint_id, 0), t.outcome, 0, 0, 0, 1, t.steps, t.error_steps
        from ${AIDED} a join trajectory t on t.id = a.id where t.superseded_by is null)
    group by 1, 2)
  group by 1`;

/** The columns of TALLIES_BY_CHECKPOINT, from the table `k` that may have no row. */
export const TALLY_COLUMNS = TALLIES.flatMap(([name]) => [name ?? "", unaidedName(name ?? "")])
  .map((name) => `ifnull(k.${name}, 0) as ${name}`)
  .join(", ");

/** A row with these columns as its tally and the one of its unaided rollouts. */
export function withUnaided<Row extends Tally>(row: Row): Row & { unaided: Tally } {
  const rest: Record<string, unknown> = {};
  const unaided: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row))
    if (key.startsWith("unaided_")) unaided[key.slice("unaided_".length)] = value;
    else rest[key] = value;
  return { ...(rest as unknown as Row), unaided: unaided as unknown as Tally };
}
