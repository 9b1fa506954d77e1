import "server-only";
import type { Db } from "@/db/client";
import { indexOf, SPAN, trajectoryOf } from "@/db/ids";
import { COVERAGE } from "./taxonomies";

export interface ErrorStepExample {
  stepId: number;
  trajectoryId: number;
  /** Entry index in the trajectory. */
  index: number;
  /** Step number; null for entries that are no steps. */
  number: number | null;
  preview: string;
  reason: string | null;
  /** rule | model | person | dataset */
  source: string;
  sourceName: string | null;
  sourceVersion: string | null;
  task: string | null;
  model: string | null;
  outcome: string;
}

type Row = Omit<ErrorStepExample, "trajectoryId" | "index">;

const COLUMNS = `s.number, s.preview, z.kind as source, z.name as sourceName, z.version as sourceVersion, t.task, t.model, t.outcome`;
const withPlace = (r: Row): ErrorStepExample => ({
  ...r,
  trajectoryId: trajectoryOf(r.stepId),
  index: indexOf(r.stepId),
});

export interface ErrorStepQuery {
  /** null is "not stated", undefined is any. */
  model?: string | null;
  /** Whether rollouts count that a training or a measurement made: they are many, and newer than what people look for. */
  made: boolean;
  /** Step id to go on from (exclusive). */
  before?: number;
  limit: number;
}

const WANTED = `(@made or (not exists (select 1 from rollout r where r.trajectory_id = t.id)
  and not exists (select 1 from behavior_sample m where m.trajectory_id = t.id)))`;
const valuesOf = ({ model, made, before, limit }: ErrorStepQuery) => ({
  before: before ?? Number.MAX_SAFE_INTEGER,
  any: model === undefined ? 1 : 0,
  model: model ?? null,
  made: made ? 1 : 0,
  limit,
});

/** Whether a training or a measurement made rollouts of this index. */
export const hasMadeRollouts = (db: Db): boolean =>
  db.$client
    .prepare("select exists (select 1 from rollout) or exists (select 1 from behavior_sample)")
    .pluck()
    .get() === 1;

/** Error steps with an error type, newest trajectory first. */
export function errorStepsOfType(db: Db, query: ErrorStepQuery & { errorTypeId: number }): ErrorStepExample[] {
  return db.$client
    .prepare<Record<string, number | string | null>, Row>(
      `select l.step_id as stepId, l.reason, ${COLUMNS}
       from label l join step s on s.id = l.step_id join trajectory t on t.id = l.step_id / ${SPAN}
         left join localizer z on z.id = l.localizer_id
       where l.error_type_id = @type and l.current = 1 and l.value = 'yes' and l.step_id < @before
         and t.superseded_by is null and (@any or t.model is @model) and ${WANTED}
       order by l.step_id desc limit @limit`,
    )
    .all({ type: query.errorTypeId, ...valuesOf(query) })
    .map(withPlace);
}

/** Active error steps that carry none of a version's misbehaviors, newest trajectory first. */
export function unlabelledErrorSteps(db: Db, query: ErrorStepQuery & { taxonomyId: number }): ErrorStepExample[] {
  return db.$client
    .prepare<Record<string, number | string | null>, Row>(
      `select l.step_id as stepId, l.reason, ${COLUMNS}
       from error_step e join localization l on l.step_id = e.step_id and l.current = 1 and l.verdict = 'bad'
         join step s on s.id = e.step_id join trajectory t on t.id = e.trajectory_id join localizer z on z.id = l.localizer_id
       where e.active = 1 and e.step_id < @before and t.superseded_by is null and (@any or t.model is @model)
         and ${WANTED}
         and not exists (select 1 from label b join error_type y on y.id = b.error_type_id
                         where b.step_id = e.step_id and b.current = 1 and b.value = 'yes' and y.named = 1 and y.taxonomy_id = @taxonomy)
         and exists (select 1 from trajectory_type u where u.scope = -2 * @taxonomy and u.trajectory_id = e.trajectory_id)
         and (exists (select 1 from taxonomy x where x.id = @taxonomy and ${COVERAGE} = 'everything')
           or exists (select 1 from assignment a where a.taxonomy_id = @taxonomy and a.step_id = e.step_id and a.status in ('labelled', 'none')))
       group by e.step_id order by e.step_id desc limit @limit`,
    )
    .all({ taxonomy: query.taxonomyId, ...valuesOf(query) })
    .map(withPlace);
}

/**
 * A few error steps to learn a type by: those `chosen`, in their order, as far as they are still there, else the ones
 * that are quickest to read.
 */
export function exampleSteps(db: Db, errorTypeId: number, chosen: readonly number[], limit = 3): ErrorStepExample[] {
  const sql = (from: string, order: string) =>
    `select s.id as stepId, (select l.reason from localization l where l.step_id = s.id and l.current = 1 and l.verdict = 'bad'
         and l.reason is not null order by l.id limit 1) as reason,
       s.number, s.preview, 'rule' as source, null as sourceName, null as sourceVersion, t.task, t.model, t.outcome
     from ${from} join trajectory t on t.id = s.id / ${SPAN} and t.superseded_by is null order by ${order} limit @limit`;
  const rows =
    chosen.length > 0
      ? db.$client
          .prepare<Record<string, number | string>, Row>(
            sql("json_each(@chosen) j join step s on s.id = j.value", "j.key"),
          )
          .all({ chosen: JSON.stringify(chosen), limit })
      : db.$client
          .prepare<Record<string, number | string>, Row>(
            sql(
              `(select distinct l.step_id from label l join error_step e on e.step_id = l.step_id and e.active = 1
                where l.error_type_id = @type and l.current = 1 and l.value = 'yes' limit 5000) x join step s on s.id = x.step_id`,
              "length(s.preview) = 0, length(s.preview), s.id",
            ),
          )
          .all({ type: errorTypeId, limit });
  return rows.map(withPlace);
}
