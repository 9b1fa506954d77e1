import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";
import { type TrajectoryFilters, whereOf } from "./trajectory-filters";

export type GroupBy = "task" | "model";

export interface TrajectoryGroup {
  /** Name of task or model; null where the file does not state one. */
  name: string | null;
  trajectories: number;
  passed: number;
  /** Trajectories whose outcome the file states: the denominator of the share that passed. */
  judged: number;
  steps: number;
  errorSteps: number;
}

const SIDES = {
  task: { table: "environment", column: "environment_id" },
  model: { table: "checkpoint", column: "checkpoint_id" },
} as const;

interface Row {
  ref: number | null;
  trajectories: number;
  passed: number;
  judged: number;
  steps: number;
  errorSteps: number;
}

/** Groups of the filtered trajectories, largest first, then by name. From the counters where they can say it. */
export function groupTrajectories(db: Db, filters: TrajectoryFilters, by: GroupBy): TrajectoryGroup[] {
  const { table, column } = SIDES[by];
  const where = whereOf(db, filters);
  const { counted } = where;
  const rows = counted
    ? all<Row>(
        db,
        `select c.${column} as ref, sum(c.trajectories) as trajectories, sum(iif(c.outcome = 'passed', c.trajectories, 0)) as passed,
           sum(iif(c.outcome <> 'unknown', c.trajectories, 0)) as judged, sum(c.steps) as steps, sum(c.error_steps) as errorSteps
         from corpus_count c where ${counted.sql} group by 1`,
        ...counted.values,
      )
    : all<Row>(
        db,
        `select +t.${column} as ref, count(*) as trajectories, sum(t.outcome = 'passed') as passed, sum(t.outcome <> 'unknown') as judged,
           sum(t.steps) as steps, sum(t.error_steps) as errorSteps
         from ${where.from} where ${where.sql} group by 1`,
        ...where.values,
      );
  const names = new Map(
    all<{ id: number; name: string }>(db, `select id, name from ${table}`).map((row) => [row.id, row.name]),
  );
  const groups = new Map<string | null, TrajectoryGroup>();
  for (const { ref, ...sums } of rows) {
    const name = ref === null ? null : (names.get(ref) ?? null);
    const group = groups.get(name);
    if (!group) groups.set(name, { name, ...sums });
    else
      for (const key of ["trajectories", "passed", "judged", "steps", "errorSteps"] as const) group[key] += sums[key];
  }
  return [...groups.values()].sort(
    (a, b) => b.trajectories - a.trajectories || (a.name ?? "￿").localeCompare(b.name ?? "￿"),
  );
}
