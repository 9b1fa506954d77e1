import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { SourceKind } from "@/db/schema/columns";
import { ALL_ERRORS } from "@/db/schema/errors";
import { statement } from "@/db/statement";
import { coveringTaxonomies } from "./liveTypes";

/** Row of a localizer, made on first use. */
export function localizerId(db: Db, kind: SourceKind, name: string, version: string): number {
  const s = db.$client;
  const found = statement(db, "select id from localizer where kind = ? and name = ? and version = ?").get(
    kind,
    name,
    version,
  ) as { id: number } | undefined;
  if (found) return found.id;
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

/** Scopes that a trajectory counts under: see `recount`. `@from` and `@to` span its step ids. */
const COUNTS = `with active as (select step_id from error_step where trajectory_id = @id and active = 1),
  typed as (select distinct l.step_id, l.error_type_id, t.named, t.taxonomy_id
    from label l join error_type t on t.id = l.error_type_id join taxonomy x on x.id = t.taxonomy_id and x.status = 'done'
    where l.step_id between @from and @to and l.current = 1 and l.value = 'yes' and l.step_id in active)
  select ${ALL_ERRORS} as scope, count(*) as n from active
  union all select error_type_id, count(*) from typed group by error_type_id
  union all select -(2 * taxonomy_id - 1), count(distinct step_id) from typed where named = 1 group by taxonomy_id
  union all select -2 * v.value, count(*) from json_each(@everything) v, active a
    where not exists (select 1 from typed y where y.step_id = a.step_id and y.taxonomy_id = v.value and y.named = 1) group by v.value
  union all select -2 * x.id, count(*) from taxonomy x, active a
    where x.status = 'done' and x.id not in (select value from json_each(@covering))
      and exists (select 1 from assignment s where s.taxonomy_id = x.id and s.step_id = a.step_id and s.status in ('labelled', 'none'))
      and not exists (select 1 from typed y where y.step_id = a.step_id and y.taxonomy_id = x.id and y.named = 1) group by x.id`;

/**
 * Brings what pages count up to date with the labels of one trajectory: error_step.active, trajectory_type,
 * trajectory.error_steps. A step is active while a current localization calls it bad or a current label of a person
 * says so. Under a taxonomy version whose rules see every step, a step without its misbehaviors is unlabelled; under the
 * others only one that an annotator looked at. Versions that no longer take new findings count what they counted before.
 * Call in the transaction that changed localizations or labels.
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
  const covering = coveringTaxonomies(db);
  const before = statement(db, "select scope from trajectory_type where trajectory_id = ? and scope < 0").all(
    trajectoryId,
  ) as { scope: number }[];
  const counted = new Set(before.map(({ scope }) => Math.ceil(-scope / 2)));
  const everything = covering.filter((t) => t.live === 1 || counted.has(t.id)).map((t) => t.id);
  statement(db, "delete from trajectory_type where trajectory_id = ?").run(trajectoryId);
  const counts = statement(db, COUNTS).all({
    ...range,
    everything: JSON.stringify(everything),
    covering: JSON.stringify(covering.map((t) => t.id)),
  }) as { scope: number; n: number }[];
  const superseded = s.prepare("select superseded_by from trajectory where id = ?").pluck().get(trajectoryId);
  if (superseded === null) {
    const add = statement(db, "insert into trajectory_type (scope, trajectory_id, error_steps) values (?, ?, ?)");
    for (const { scope, n } of counts) if (n > 0) add.run(scope, trajectoryId, n);
  }
  const all = counts.find((c) => c.scope === ALL_ERRORS)?.n ?? 0;
  statement(db, "update trajectory set error_steps = @all where id = @id and error_steps <> @all").run({
    all,
    id: trajectoryId,
  });
}
