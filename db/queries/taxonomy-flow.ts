import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";
import { COVERAGE } from "./taxonomies";

/** Ends of a flow that are no type: looked at and without a misbehavior, and not looked at. */
export const NO_TYPE = 0;
export const NOT_SEEN = -1;

/** Error steps that stand at `from` under one version and at `to` under the other: a type's id, NO_TYPE or NOT_SEEN. */
export interface FlowRow {
  from: number;
  to: number;
  steps: number;
}

const side = (name: string) => `${name} as (
  select e.step_id, ifnull(
    (select y.id from label l join error_type y on y.id = l.error_type_id and y.taxonomy_id = @${name} and y.named = 1
      where l.step_id = e.step_id and l.current = 1 and l.value = 'yes' order by y.rank, y.id limit 1),
    case when (select ${COVERAGE} from taxonomy x where x.id = @${name}) = 'everything'
        or exists (select 1 from assignment a where a.taxonomy_id = @${name} and a.step_id = e.step_id and a.status in ('labelled', 'none'))
      then ${NO_TYPE} else ${NOT_SEEN} end) as at
  from active e)`;

/**
 * Where each active error step stands under two versions. A step counts once: at the first of its misbehaviors in the
 * version's order. Steps without a type under both are left out, so the rows of types add up to the labelled steps.
 */
export function taxonomyFlow(db: Db, a: number, b: number): FlowRow[] {
  return db.$client
    .prepare<Record<string, number>, FlowRow>(
      `with active as materialized (select e.step_id from error_step e join trajectory t on t.id = e.trajectory_id and t.superseded_by is null
         where e.active = 1), ${side("a")}, ${side("b")}
       select a.at as "from", b.at as "to", count(*) as steps from a join b on b.step_id = a.step_id
       where a.at > 0 or b.at > 0 group by 1, 2 order by steps desc, 1, 2`,
    )
    .all({ a, b });
}

/** Types of `ancestor` that each type of `taxonomyId` came from, through the versions between; empty where they are not related. */
export function lineageBetween(db: Db, taxonomyId: number, ancestor: number): Map<number, number[]> {
  const rows = all<{ type: number; source: number }>(
    db,
    `with recursive up (type, at, taxonomy) as (
       select id, id, taxonomy_id from error_type where taxonomy_id = ?
       union select up.type, p.id, p.taxonomy_id from up join error_type c on c.id = up.at, json_each(c.lineage) j
         join error_type p on p.id = j.value where up.taxonomy <> ?)
     select type, at as source from up where taxonomy = ? order by type, at`,
    taxonomyId,
    ancestor,
    ancestor,
  );
  const out = new Map<number, number[]>();
  for (const { type, source } of rows) out.set(type, [...(out.get(type) ?? []), source]);
  return out;
}

export interface OperationRow {
  id: number;
  taxonomyId: number;
  version: number;
  kind: string;
  details: string;
  actor: string;
  createdAt: number;
}

/** Edits that made a version out of an earlier one of its line, oldest first; all of its line without `since`. */
export const operationsOf = (db: Db, taxonomyId: number, since: number | null): OperationRow[] =>
  all<OperationRow>(
    db,
    `with recursive line (id, parent) as (
       select id, parent_id from taxonomy where id = ?
       union select x.id, x.parent_id from line join taxonomy x on x.id = line.parent where line.parent <> ?)
     select o.id, o.taxonomy_id as taxonomyId, x.version, o.kind, o.details, o.actor, o.created_at as createdAt
     from line join taxonomy_operation o on o.taxonomy_id = line.id join taxonomy x on x.id = o.taxonomy_id
     where line.id <> ? order by o.id`,
    taxonomyId,
    since ?? 0,
    since ?? 0,
  );

export interface StaleStep {
  stepId: number;
  types: string;
  preview: string;
  task: string | null;
}

/** Steps whose label waits for a relabel, in order; `after` goes on behind a step id. */
export const staleSteps = (db: Db, taxonomyId: number, { after = 0, limit = 20 } = {}): StaleStep[] =>
  all<StaleStep>(
    db,
    `select a.step_id as stepId, s.preview, t.task,
       ifnull((select group_concat(name, '; ') from (select distinct y.name from label l join error_type y on y.id = l.error_type_id
         and y.taxonomy_id = a.taxonomy_id where l.step_id = a.step_id and l.current = 1 and l.value = 'yes' order by y.rank)), '') as types
     from assignment a join step s on s.id = a.step_id join error_step e on e.step_id = a.step_id and e.active = 1
       join trajectory t on t.id = e.trajectory_id
     where a.taxonomy_id = ? and a.stale = 1 and a.step_id > ? group by a.step_id order by a.step_id limit ?`,
    taxonomyId,
    after,
    limit,
  );
