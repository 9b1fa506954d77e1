import "server-only";
import type { Db } from "@/db/client";
import { environmentOf } from "./environments";
import { all, one } from "./prepared";

/** Another type of the version that occurs on the same error steps. */
export interface CoOccurrence {
  id: number;
  slug: string;
  name: string;
  /** Error steps with both. */
  both: number;
  /** Error steps of the other type. */
  steps: number;
}

/** Types of the same version that share error steps with this one, most first. */
export const coOccurrence = (db: Db, typeId: number): CoOccurrence[] =>
  all<CoOccurrence>(
    db,
    `select y.id, y.slug, y.name, count(distinct l.step_id) as both,
       ifnull((select sum(k.error_steps) from type_count k where k.scope = y.id), 0) as steps
     from label me join error_step e on e.step_id = me.step_id and e.active = 1
       join trajectory t on t.id = e.trajectory_id and t.superseded_by is null
       join label l on l.step_id = me.step_id and l.current = 1 and l.value = 'yes' and l.error_type_id <> me.error_type_id
       join error_type y on y.id = l.error_type_id and y.taxonomy_id = (select taxonomy_id from error_type where id = ?)
     where me.error_type_id = ? and me.current = 1 and me.value = 'yes' group by y.id order by both desc, y.rank`,
    typeId,
    typeId,
  );

/** How a type spreads over environments. Shares are of its error steps in named environments; null when there are none. */
export interface Concentration {
  environments: number;
  /** Error steps in a named environment. */
  errorSteps: number;
  /** Error steps of trajectories that name no environment: in no share. */
  withoutEnvironment: number;
  top1: number | null;
  top5: number | null;
  /** Of the tenth of the environments (rounded up) with most of them. */
  topTenth: number | null;
  /** Number of equally frequent environments that would be as concentrated (inverse Simpson index). */
  effective: number | null;
}

/** Concentration of counts by environment. */
export function concentration(counts: readonly number[], withoutEnvironment = 0): Concentration {
  const sorted = counts.filter((n) => n > 0).toSorted((a, b) => b - a);
  const total = sorted.reduce((sum, n) => sum + n, 0);
  const top = (many: number): number | null =>
    total === 0 ? null : sorted.slice(0, many).reduce((sum, n) => sum + n, 0) / total;
  return {
    environments: sorted.length,
    errorSteps: total,
    withoutEnvironment,
    top1: top(1),
    top5: top(5),
    topTenth: top(Math.ceil(sorted.length / 10)),
    effective: total === 0 ? null : total ** 2 / sorted.reduce((sum, n) => sum + n ** 2, 0),
  };
}

/** How a scope (error type id or pseudo type) spreads over environments. */
export function concentrationOf(db: Db, scope: number): Concentration {
  const { column, join } = environmentOf(db);
  const rows = all<{ environment: number; n: number }>(
    db,
    `select ${column} as environment, sum(k.error_steps) as n from type_count k ${join} where k.scope = ? group by 1 having n > 0`,
    scope,
  );
  return concentration(
    rows.filter((r) => r.environment > 0).map((r) => r.n),
    rows.find((r) => r.environment === 0)?.n ?? 0,
  );
}

/** Where the labels of a type come from. */
export interface LabelSource {
  /** rule | model | person | dataset */
  source: string;
  name: string | null;
  version: string | null;
  steps: number;
  /** Of these, repeated from the version before. */
  carried: number;
}

/** Sources of a type's current labels on active error steps, most first. */
export const labelSources = (db: Db, typeId: number): LabelSource[] =>
  all<LabelSource>(
    db,
    `select l.source, ifnull(p.name, z.name) as name, z.version, count(distinct l.step_id) as steps,
       count(distinct case when l.carried_from is not null then l.step_id end) as carried
     from label l join error_step e on e.step_id = l.step_id and e.active = 1
       left join localizer z on z.id = l.localizer_id left join person p on p.id = l.person_id
     where l.error_type_id = ? and l.current = 1 and l.value = 'yes' group by 1, 2, 3 order by steps desc, 1, 2`,
    typeId,
  );

/** Steps of a type whose labels wait for a relabel. */
export const staleOf = (db: Db, typeId: number, taxonomyId: number): number =>
  one<{ n: number }>(
    db,
    `select count(distinct a.step_id) as n from assignment a join label l on l.step_id = a.step_id and l.error_type_id = ?
       and l.current = 1 and l.value = 'yes' where a.taxonomy_id = ? and a.stale = 1`,
    typeId,
    taxonomyId,
  )?.n ?? 0;
