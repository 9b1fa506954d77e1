import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { NO_PREFIX_FILTERS, PREFIX_FROM, type PrefixFilters, prefixWhere } from "@/db/queries/prefix-filters";
import { all, one, type Value } from "@/db/queries/prepared";
import { taxonomyInForce } from "@/db/queries/taxonomies";
import { errorTypeIdOf, type TrajectoryFilters, whereOf } from "@/db/queries/trajectory-filters";
import type { Question } from "@/lib/review/types";
import type { Candidate } from "./draw";

/** What a queue is about: what a list shows, or subjects picked by hand. */
export type QueueSource =
  /** Steps of these trajectories: those a localizer flagged, or all of them. With a measurement: its windows. */
  | { kind: "trajectories"; filters: TrajectoryFilters; steps: "flagged" | "all" }
  | { kind: "prefixes"; filters: PrefixFilters }
  | { kind: "ids"; ids: readonly number[] };

/** What the question needs beside the source. */
export interface About {
  question: Question;
  /** Version that types and strata go by. */
  taxonomyId: number;
  /** Measurement of windows. */
  evaluationId: number | null;
}

/** Stratum of what has no type. */
export const NO_TYPE = "(no type)";

/** Between the misbehavior and the checkpoint of a stratum of windows. */
const OF = " · ";

/** A stratum with its misbehavior by name, as the version that types go by calls it, else as any does. */
export function stratumLabel(db: Db, { taxonomyId }: Pick<About, "taxonomyId">, stratum: string): string {
  const [slug, ...rest] = stratum.split(OF);
  const type = one<{ name: string }>(
    db,
    "select name from error_type where slug = ? order by taxonomy_id = ? desc, id desc limit 1",
    slug ?? "",
    taxonomyId,
  );
  return [type?.name ?? slug, ...rest].join(OF);
}

/** A subject that a queue may ask about; `labelled`: people have settled it for this question already. */
export interface Subject extends Candidate {
  labelled: boolean;
}

/**
 * SQL: people have settled this subject for this question in any queue. From the queues, of which there are few, to their
 * items by index: the other way round every item is looked at for every subject.
 */
const settled = (subject: string, question: Question): string =>
  `exists (select 1 from review_queue rq cross join review_item ri on ri.queue_id = rq.id and ri.subject_id = ${subject}
     where rq.question = '${question}' and ri.status = 'settled')`;

interface Condition {
  sql: string;
  values: Value[];
}

/** Steps of the source as a condition over step_id = `e.step_id`. */
function steps(db: Db, source: QueueSource, taxonomyId: number): { from: string; where: Condition } {
  if (source.kind === "prefixes")
    return {
      from: "step k left join error_step e on e.step_id = k.id",
      where: within(`k.id in (select p.step_id from ${PREFIX_FROM} where `, prefixWhere(source.filters), ")"),
    };
  if (source.kind === "ids")
    return {
      from: "step k left join error_step e on e.step_id = k.id",
      where: { sql: "k.id in (select value from json_each(?))", values: [JSON.stringify(source.ids)] },
    };
  const { from, sql, values } = whereOf(db, source.filters);
  if (source.steps === "all")
    return {
      from: "step k left join error_step e on e.step_id = k.id",
      where: {
        sql: `k.number is not null and k.kind = 'agent' and k.flags & 1 = 0 and k.id / ${SPAN} in (select t.id from ${from} where ${sql})`,
        values,
      },
    };
  const typed = ofType(db, source.filters.misbehavior, taxonomyId);
  return {
    from: "error_step e join step k on k.id = e.step_id",
    where: {
      sql: `e.active = 1 and e.trajectory_id in (select t.id from ${from} where ${sql})${typed.sql}`,
      values: [...values, ...typed.values],
    },
  };
}

const within = (before: string, { sql, values }: Condition, after: string): Condition => ({
  sql: before + sql + after,
  values,
});

/** A list's misbehavior filter narrows trajectories; of their steps, those that have the type are meant. */
function ofType(db: Db, misbehavior: string | null, taxonomyId: number): Condition {
  if (misbehavior === null || misbehavior === "any" || misbehavior === "none") return { sql: "", values: [] };
  const [, word = "", version] = /^(.*?)(?:@(\d{1,15}))?$/s.exec(misbehavior) ?? [];
  const id = version === undefined ? taxonomyId : Number(version);
  const has = `exists (select 1 from label b join error_type y on y.id = b.error_type_id
    where b.step_id = e.step_id and b.current = 1 and b.value = 'yes' and `;
  if (word === "named") return { sql: ` and ${has} y.taxonomy_id = ? and y.named = 1)`, values: [id] };
  if (word === "unlabelled") return { sql: ` and not ${has} y.taxonomy_id = ?)`, values: [id] };
  return { sql: ` and ${has} y.id = ?)`, values: [errorTypeIdOf(db, word, id) ?? 0] };
}

/** SQL over error step `e`, its step `k`: localizers that looked at it differ. Rules that saw the trajectory and say nothing call it good. */
const LOCALIZERS_DIFFER = `(exists (select 1 from localization l where l.step_id = k.id and l.current = 1 and l.verdict = 'bad')
  and (exists (select 1 from localization l where l.step_id = k.id and l.current = 1 and l.verdict = 'good')
    or (not exists (select 1 from localization l join localizer z on z.id = l.localizer_id and z.kind = 'rule'
          where l.step_id = k.id and l.current = 1 and l.verdict = 'bad')
        and exists (select 1 from trajectory w where w.id = k.id / ${SPAN} and w.rules_version is not null))))`;

/** SQL over step `k`: those who labelled it under a version give it different types; "none" is an answer, too. Takes the version twice. */
const LABELS_DIFFER = `((select count(distinct types) from (
    select group_concat(type) as types from (
      select l.localizer_id as who, l.error_type_id as type from label l join error_type y on y.id = l.error_type_id and y.taxonomy_id = ?
      where l.step_id = k.id and l.current = 1 and l.value = 'yes' and l.source <> 'person' order by l.localizer_id, l.error_type_id)
    group by who
    union all
    select 'none' from assignment a where a.taxonomy_id = ? and a.step_id = k.id and a.status = 'none')) > 1)`;

function stepSubjects(db: Db, source: QueueSource, { question, taxonomyId }: About): Subject[] {
  const { from, where } = steps(db, source, taxonomyId);
  const differ = question === "types" ? LABELS_DIFFER : LOCALIZERS_DIFFER;
  const rows = all<{ id: number; slugs: string | null; split: number; labelled: number }>(
    db,
    `select k.id, (select group_concat(slug, char(10)) from (select distinct y.slug from label b
         join error_type y on y.id = b.error_type_id and y.taxonomy_id = ?
         where b.step_id = e.step_id and b.current = 1 and b.value = 'yes' and b.source <> 'person' order by y.slug)) as slugs,
       ${differ} as split, ${settled("k.id", question)} as labelled
     from ${from} where ${where.sql}`,
    ...[taxonomyId, ...(question === "types" ? [taxonomyId, taxonomyId] : [])],
    ...where.values,
  );
  // A step of several types counts to the rarest of them.
  const sizes = new Map<string, number>();
  const typed = rows.map((row) => ({ ...row, types: row.slugs === null ? [] : row.slugs.split("\n") }));
  for (const { types } of typed) for (const type of types) sizes.set(type, (sizes.get(type) ?? 0) + 1);
  return typed.map(({ id, types, split, labelled }) => ({
    subjectId: id,
    stratum:
      types.reduce<string | null>((a, b) => (a !== null && size(sizes, a) <= size(sizes, b) ? a : b), null) ?? NO_TYPE,
    split: split === 1,
    labelled: labelled === 1,
  }));
}
const size = (sizes: Map<string, number>, type: string): number => sizes.get(type) ?? 0;

function windowSubjects(db: Db, source: QueueSource, { evaluationId }: About): Subject[] {
  const narrow: Condition =
    source.kind === "ids"
      ? { sql: "s.id in (select value from json_each(?))", values: [JSON.stringify(source.ids)] }
      : source.kind === "trajectories"
        ? (({ from, sql, values }) => ({
            sql: `s.trajectory_id in (select t.id from ${from} where ${sql})`,
            values,
          }))(whereOf(db, source.filters))
        : within(`s.prefix_id in (select p.id from ${PREFIX_FROM} where `, prefixWhere(source.filters), ")");
  return all<{ id: number; slug: string; checkpoint: string; split: number; labelled: number }>(
    db,
    `select s.id, y.slug, c.name as checkpoint,
       (select count(distinct v.answer) from behavior_verdict v where v.sample_id = s.id and v.answer in ('yes', 'no')) > 1 as split,
       exists (select 1 from window_label w where w.sample_id = s.id and w.answer <> 'unsure') as labelled
     from behavior_sample s join error_type y on y.id = s.error_type_id join checkpoint c on c.id = s.checkpoint_id
     where s.evaluation_id = ? and s.void_reason is null and s.trajectory_id is not null and ${narrow.sql}`,
    evaluationId,
    ...narrow.values,
  ).map(({ id, slug, checkpoint, split, labelled }) => ({
    subjectId: id,
    stratum: slug + OF + checkpoint,
    split: split === 1,
    labelled: labelled === 1,
  }));
}

function prefixSubjects(db: Db, source: QueueSource): Subject[] {
  const narrow: Condition =
    source.kind === "ids"
      ? { sql: "p.id in (select value from json_each(?))", values: [JSON.stringify(source.ids)] }
      : source.kind === "prefixes"
        ? prefixWhere(source.filters)
        : (({ from, sql, values }) => ({ sql: `t.id in (select t.id from ${from} where ${sql})`, values }))(
            whereOf(db, source.filters),
          );
  return all<{ id: number; slug: string | null; split: number; labelled: number }>(
    db,
    `select p.id, e.slug, (p.exact > 0 and p.exact < p.reruns) as split, ${settled("p.id", "prefix")} as labelled
     from ${PREFIX_FROM} where ${narrow.sql}`,
    ...narrow.values,
  ).map(({ id, slug, split, labelled }) => ({
    subjectId: id,
    stratum: slug ?? NO_TYPE,
    split: split === 1,
    labelled: labelled === 1,
  }));
}

/** Everything a queue with this question may ask about, in no particular order. Reads one row a subject into memory. */
export function subjectsOf(db: Db, source: QueueSource, about: About): Subject[] {
  if (about.question === "window") return windowSubjects(db, source, about);
  if (about.question === "prefix") return prefixSubjects(db, source);
  return stepSubjects(db, source, about);
}

/** Version a queue of this question goes by when none is named. */
export const taxonomyFor = (db: Db, given: number | null): number => given ?? taxonomyInForce(db);

/** Whether a measurement of misbehavior rates with this id is there. */
export const isMeasurement = (db: Db, id: number): boolean =>
  one(db, "select 1 as found from evaluation where id = ? and kind = 'misbehavior-rate'", id) !== undefined;

export { NO_PREFIX_FILTERS };
