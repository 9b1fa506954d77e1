import "server-only";
import type { Db } from "@/db/client";
import { COVERAGE } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";

/**
 * Counts a taxonomy version for every trajectory: rows of trajectory_type for its types and its two pseudo types, as
 * `recount` makes them one trajectory at a time. Call inside the transaction that makes the version done or changes it.
 */
export function countTaxonomy(db: Db, taxonomyId: number): void {
  const id = { id: taxonomyId };
  statement(
    db,
    `delete from trajectory_type where scope in (select id from error_type where taxonomy_id = @id)
       or scope in (-(2 * @id - 1), -2 * @id)`,
  ).run(id);
  const active = `error_step e join trajectory t on t.id = e.trajectory_id and t.superseded_by is null`;
  statement(
    db,
    `insert into trajectory_type (scope, trajectory_id, error_steps)
     select l.error_type_id, e.trajectory_id, count(distinct e.step_id)
     from error_type y join label l on l.error_type_id = y.id and l.current = 1 and l.value = 'yes'
       join error_step e on e.step_id = l.step_id and e.active = 1 join trajectory t on t.id = e.trajectory_id and t.superseded_by is null
     where y.taxonomy_id = @id group by 1, 2`,
  ).run(id);
  const named = `exists (select 1 from label l join error_type y on y.id = l.error_type_id and y.taxonomy_id = @id and y.named = 1
    where l.step_id = e.step_id and l.current = 1 and l.value = 'yes')`;
  statement(
    db,
    `insert into trajectory_type (scope, trajectory_id, error_steps)
     select -(2 * @id - 1), e.trajectory_id, count(*) from ${active} where e.active = 1 and ${named} group by e.trajectory_id`,
  ).run(id);
  const seen = `(exists (select 1 from taxonomy x where x.id = @id and ${COVERAGE} = 'everything')
    or exists (select 1 from assignment a where a.taxonomy_id = @id and a.step_id = e.step_id and a.status in ('labelled', 'none')))`;
  statement(
    db,
    `insert into trajectory_type (scope, trajectory_id, error_steps)
     select -2 * @id, e.trajectory_id, count(*) from ${active} where e.active = 1 and not ${named} and ${seen} group by e.trajectory_id`,
  ).run(id);
}
