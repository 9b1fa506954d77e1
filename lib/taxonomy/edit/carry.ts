import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import type { DraftType } from "./operations";

/** The types in use, at or before these, that last had labels: a retired type's own were not carried. */
function labelled(db: Db, ids: readonly number[], restored: boolean): number[] {
  if (!restored) return [...ids];
  return ids.flatMap((id): number[] => {
    const row = one<{ status: string; lineage: string }>(db, "select status, lineage from error_type where id = ?", id);
    if (row?.status !== "retired") return [id];
    return labelled(db, JSON.parse(row.lineage) as number[], true);
  });
}

/**
 * Labels of the types that a type came from, repeated under it with `carried_from`. Where several come together, one a
 * step and source stays: "yes" before anything else, as it says more. Retired types carry none.
 */
export function carryLabels(db: Db, typeId: number, type: DraftType): void {
  if (type.status === "retired") return;
  const from = labelled(db, type.labelsOf, type.restored);
  statement(
    db,
    `insert into label (step_id, error_type_id, value, source, localizer_id, person_id, localization_id, reason, carried_from, usage_id)
     select step_id, @typeId, value, source, localizer_id, person_id, localization_id, reason, id, usage_id from (
       select *, row_number() over (partition by step_id, source, ifnull(localizer_id, 0), ifnull(person_id, 0) order by value <> 'yes', id) as place
       from label where error_type_id in (select value from json_each(@from)) and current = 1)
     where place = 1 order by id`,
  ).run({ typeId, from: JSON.stringify(from) });
}

/**
 * What annotators said of each step, repeated under the new version. A step that has a type whose definition changed is
 * stale: it waits for a relabel. Returns how many are.
 */
export function carryAssignments(db: Db, from: number, to: number, draft: readonly DraftType[]): number {
  statement(
    db,
    `insert into assignment (taxonomy_id, step_id, localizer_id, status, stale, batch_id)
     select ?, step_id, localizer_id, status, stale, batch_id from assignment where taxonomy_id = ?`,
  ).run(to, from);
  const slugs = JSON.stringify(draft.filter((t) => t.stale && t.status !== "retired").map((t) => t.slug));
  const values = { to, slugs };
  const touched = `select l.step_id from label l join error_type e on e.id = l.error_type_id and e.taxonomy_id = @to
    where l.current = 1 and l.value = 'yes' and l.source in ('rule', 'model') and e.slug in (select value from json_each(@slugs))`;
  statement(db, `update assignment set stale = 1 where taxonomy_id = @to and step_id in (${touched})`).run(values);
  // Labels of rules that see every step come without an assignment: it is made where there is something to redo.
  statement(
    db,
    `insert or ignore into assignment (taxonomy_id, step_id, localizer_id, status, stale)
     select @to, l.step_id, l.localizer_id, 'labelled', 1 from label l join error_type e on e.id = l.error_type_id and e.taxonomy_id = @to
     where l.current = 1 and l.value = 'yes' and l.source in ('rule', 'model') and l.localizer_id is not null
       and e.slug in (select value from json_each(@slugs))
       and l.step_id not in (select step_id from assignment where taxonomy_id = @to)`,
  ).run(values);
  // Retired and restored types change which steps have any type.
  statement(
    db,
    `update assignment set status = case when exists (select 1 from label l join error_type e on e.id = l.error_type_id
         and e.taxonomy_id = @to where l.step_id = assignment.step_id and l.current = 1 and l.value = 'yes') then 'labelled' else 'none' end
     where taxonomy_id = @to and status in ('labelled', 'none')`,
  ).run({ to });
  return all<{ n: number }>(
    db,
    "select count(distinct step_id) as n from assignment where taxonomy_id = ? and stale = 1",
    to,
  ).reduce((sum, row) => sum + row.n, 0);
}
