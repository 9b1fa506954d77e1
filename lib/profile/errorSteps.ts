import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { SourceKind } from "@/db/schema/columns";
import { SCOPES } from "@/db/schema/errors";
import { statement } from "@/db/statement";

/** Row of a localizer, made on first use. */
export function localizerId(db: Db, kind: SourceKind, name: string, version: string): number {
  const s = db.$client;
  const found = s
    .prepare("select id from localizer where kind = ? and name = ? and version = ?")
    .pluck()
    .get(kind, name, version);
  if (typeof found === "number") return found;
  return Number(
    s.prepare("insert into localizer (kind, name, version) values (?, ?, ?)").run(kind, name, version).lastInsertRowid,
  );
}

/** Marks a step as an error step; a step that was one stays one. */
export function addErrorStep(db: Db, trajectoryId: number, index: number): void {
  statement(
    db,
    `insert into error_step (step_id, trajectory_id, environment_id, checkpoint_id)
       select ?, id, environment_id, checkpoint_id from trajectory where id = ? on conflict do update set active = 1`,
  ).run(trajectoryId * SPAN + index, trajectoryId);
}

/**
 * Brings what pages count up to date with the labels of one trajectory: error_step.active, trajectory_type,
 * trajectory.error_steps. A step is active while a current localization calls it bad or a current label of a person
 * says so. Call in the transaction that changed localizations or labels.
 */
export function recount(db: Db, trajectoryId: number): void {
  const s = db.$client;
  const range = { id: trajectoryId, from: trajectoryId * SPAN, to: trajectoryId * SPAN + SPAN - 1 };
  statement(
    db,
    `update error_step set active =
       exists (select 1 from localization l where l.step_id = error_step.step_id and l.current = 1 and l.verdict = 'bad')
       or exists (select 1 from label l where l.step_id = error_step.step_id and l.current = 1 and l.source = 'person' and l.value = 'yes')
     where trajectory_id = @id`,
  ).run({ id: trajectoryId });
  statement(db, "delete from trajectory_type where trajectory_id = ?").run(trajectoryId);
  const counts = s
    .prepare<typeof range, { scope: number; n: number }>(
      `with active as (select step_id from error_step where trajectory_id = @id and active = 1),
            typed as (select distinct l.step_id, l.error_type_id, t.named from label l join error_type t on t.id = l.error_type_id
                      where l.step_id between @from and @to and l.current = 1 and l.value = 'yes' and l.step_id in active)
       select ${SCOPES.all} as scope, count(*) as n from active
       union all select error_type_id, count(*) from typed group by error_type_id
       union all select ${SCOPES.named}, count(distinct step_id) from typed where named = 1
       union all select ${SCOPES.unlabelled}, count(*) from active where step_id not in (select step_id from typed where named = 1)`,
    )
    .all(range);
  const superseded = s.prepare("select superseded_by from trajectory where id = ?").pluck().get(trajectoryId);
  if (superseded === null) {
    const add = statement(db, "insert into trajectory_type (scope, trajectory_id, error_steps) values (?, ?, ?)");
    for (const { scope, n } of counts) if (n > 0) add.run(scope, trajectoryId, n);
  }
  const all = counts.find((c) => c.scope === SCOPES.all)?.n ?? 0;
  statement(db, "update trajectory set error_steps = @all where id = @id and error_steps <> @all").run({
    all,
    id: trajectoryId,
  });
}
