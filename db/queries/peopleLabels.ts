import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { all } from "./prepared";

/** What people say of a step under a taxonomy version. */
export interface PeopleStep {
  stepId: number;
  trajectoryId: number;
  /** Types that apply; empty: none does. */
  types: number[];
}

/**
 * Steps whose types people settled under a taxonomy version, each as the newest settlement has it; that a step is no error
 * at all says that no type applies, whichever queue asked. Unsure and environment are no statement.
 */
export function settledSteps(db: Db, taxonomyId: number): PeopleStep[] {
  const rows = all<Omit<PeopleStep, "types"> & { types: string | null }>(
    db,
    `select i.subject_id as stepId, t.id as trajectoryId, s.types
     from review_queue q join review_item i on i.queue_id = q.id join review_settlement s on s.item_id = i.id and s.current = 1
       join trajectory t on t.id = i.subject_id / ${SPAN} and t.superseded_by is null
     where (q.question = 'types' and q.taxonomy_id = ? and s.verdict in ('types', 'right')) or (q.question = 'wrong' and s.verdict = 'right')
     order by s.id`,
    taxonomyId,
  );
  const newest = new Map(rows.map((row) => [row.stepId, { ...row, types: JSON.parse(row.types ?? "[]") as number[] }]));
  return [...newest.values()];
}

/** How settled steps came into their queues: the filter a queue kept (JSON, null: none) and whether it drew them at random. */
export const settledDraws = (db: Db): { stepId: number; random: 0 | 1; filter: string | null }[] =>
  all(
    db,
    `select i.subject_id as stepId, i.random, q.settings ->> '$.draw.filter' as filter
     from review_queue q join review_item i on i.queue_id = q.id join review_settlement s on s.item_id = i.id and s.current = 1
     where q.question in ('wrong', 'types') and s.verdict in ('wrong', 'right', 'types')`,
  );

/** Categories that a data set's labels give to steps, by their slugs. */
export const datasetSteps = (db: Db): { stepId: number; trajectoryId: number; dataset: string; category: string }[] =>
  all(
    db,
    `select b.step_id as stepId, t.id as trajectoryId, x.name as dataset, e.slug as category
     from label b join error_type e on e.id = b.error_type_id join taxonomy x on x.id = e.taxonomy_id and x.origin = 'dataset'
       join trajectory t on t.id = b.step_id / ${SPAN} and t.superseded_by is null
     where b.current = 1 and b.source = 'dataset' and b.value = 'yes' order by b.step_id, b.id`,
  );

/** A rule set or an annotator that looked at a step under a taxonomy version, with the types it gave. */
export interface LookedAt {
  stepId: number;
  localizerId: number;
  kind: "rule" | "model";
  name: string;
  version: string;
  types: number[];
}

/** Of these steps, what rules and models say of them under a taxonomy version; who did not look at a step is not there. */
export function lookedAtBy(db: Db, taxonomyId: number, stepIds: readonly number[]): LookedAt[] {
  const steps = JSON.stringify(stepIds);
  const types = `(select json_group_array(distinct b.error_type_id) from label b join error_type e on e.id = b.error_type_id and e.taxonomy_id = ?
      where b.step_id = v.value and b.current = 1 and b.value = 'yes' and b.source = z.kind and (z.kind = 'rule' or b.localizer_id = z.id)) as types`;
  const columns = "v.value as stepId, z.id as localizerId, z.kind, z.name, z.version";
  return all<Omit<LookedAt, "types"> & { types: string }>(
    db,
    `select ${columns}, ${types} from json_each(?) v join step s on s.id = v.value and s.number is not null
       and (s.note is null or s.note <> 'demonstration')
       join trajectory t on t.id = v.value / ${SPAN} join localizer z on z.kind = 'rule' and z.version = t.rules_version
     union all
     select ${columns}, ${types} from json_each(?) v join assignment a on a.step_id = v.value and a.taxonomy_id = ?
       and a.status in ('labelled', 'none') join localizer z on z.id = a.localizer_id and z.kind = 'model'`,
    taxonomyId,
    steps,
    taxonomyId,
    steps,
    taxonomyId,
  ).map((row) => ({ ...row, types: JSON.parse(row.types) as number[] }));
}

/** How a judge and people answered the windows of one prefix. */
export interface JudgedByPeople {
  errorTypeId: number;
  judge: string;
  /** settled (by a review queue) | single (labels of single people, by majority) */
  source: "settled" | "single";
  prefixId: number;
  bothYes: number;
  peopleYes: number;
  judgeYes: number;
  bothNo: number;
  /** Of them, windows drawn at random: all, and those that people call so, by both and by people alone. */
  random: number;
  randomBothYes: number;
  randomPeopleYes: number;
}

/** Windows of a measurement that people and a judge answered with yes or no, added up over prefixes; settled ones apart. */
export const judgedByPeople = (db: Db, evaluationId: number): JudgedByPeople[] =>
  all(
    db,
    `with newest as (
       select l.sample_id, l.answer, l.random, l.author like 'settled: %' as settled,
         row_number() over (partition by l.sample_id, l.author order by l.id desc) as place
       from window_label l join behavior_sample s on s.id = l.sample_id and s.evaluation_id = ?
     ), people as (
       select sample_id, settled, sum(answer = 'yes') as yes, sum(answer = 'no') as no, max(random) as random
       from newest where place = 1 group by sample_id, settled having yes <> no
     )
     select s.error_type_id as errorTypeId, v.judge, case p.settled when 1 then 'settled' else 'single' end as source, s.prefix_id as prefixId,
       sum(p.yes > p.no and v.answer = 'yes') as bothYes, sum(p.yes > p.no and v.answer = 'no') as peopleYes,
       sum(p.yes < p.no and v.answer = 'yes') as judgeYes, sum(p.yes < p.no and v.answer = 'no') as bothNo, sum(p.random) as random,
       sum(p.random and p.yes > p.no and v.answer = 'yes') as randomBothYes, sum(p.random and p.yes > p.no and v.answer = 'no') as randomPeopleYes
     from people p join behavior_sample s on s.id = p.sample_id join behavior_verdict v on v.sample_id = s.id and v.answer in ('yes', 'no')
     group by s.error_type_id, v.judge, p.settled, s.prefix_id order by s.error_type_id, v.judge, p.settled desc, s.prefix_id`,
    evaluationId,
  );
