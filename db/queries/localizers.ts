import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { SourceKind } from "@/db/schema/columns";
import { all, one } from "./prepared";

/** A localizer in one version, with what it says now. */
export interface LocalizerRow {
  id: number;
  kind: SourceKind;
  name: string;
  version: string;
  trajectories: number;
  /** Steps it looked at and said good or bad; null: it only marks steps (labels of a data set). */
  judged: number | null;
  bad: number;
  good: number | null;
  /** Asked about in vain; null: it cannot fail (rules, data sets). */
  failed: number | null;
  unparsed: number | null;
}

/** Steps that rules judge: numbered ones that are no demonstration, in trajectories that this version scanned last. */
const RULES_JUDGED = `(select ifnull(sum(t.steps), 0) from trajectory t where t.rules_version = z.version and t.superseded_by is null)
  - (select count(*) from step s join trajectory t on t.id = s.id / ${SPAN}
     where s.note = 'demonstration' and s.number is not null and t.rules_version = z.version and t.superseded_by is null)`;

/** Localizers that say something now: rules, models by name, people (settled reviews), data sets. Replaced readings do not count. */
export function listLocalizers(db: Db): LocalizerRow[] {
  const rows = all<{
    id: number;
    kind: SourceKind;
    name: string;
    version: string;
    trajectories: number;
    steps: number;
    bad: number;
    good: number;
    failed: number;
    unparsed: number;
    scanned: number | null;
    scannedTrajectories: number | null;
  }>(
    db,
    `select z.id, z.kind, z.name, z.version, count(distinct l.step_id / ${SPAN}) as trajectories,
       count(distinct l.step_id) as steps,
       count(distinct case when l.verdict = 'bad' then l.step_id end) as bad,
       count(distinct case when l.verdict = 'good' then l.step_id end) as good,
       count(distinct case when l.verdict = 'failed' then l.step_id end) as failed,
       count(distinct case when l.verdict = 'unparsed' then l.step_id end) as unparsed,
       case when z.kind = 'rule' then ${RULES_JUDGED} end as scanned,
       case when z.kind = 'rule' then (select count(*) from trajectory t where t.rules_version = z.version and t.superseded_by is null) end
         as scannedTrajectories
     from localizer z left join (localization l join trajectory t on t.id = l.step_id / ${SPAN} and t.superseded_by is null)
       on l.localizer_id = z.id and l.current = 1
     group by z.id having count(l.id) > 0 or scannedTrajectories > 0 order by case z.kind when 'rule' then 0 when 'model' then 1 when 'person' then 2 else 3 end, z.name, z.id`,
  );
  return rows.map(({ steps: _, scanned, scannedTrajectories, ...r }) => {
    if (r.kind === "rule")
      return {
        ...r,
        trajectories: scannedTrajectories ?? 0,
        judged: scanned ?? 0,
        good: (scanned ?? 0) - r.bad,
        failed: null,
        unparsed: null,
      };
    if (r.kind === "model") return { ...r, judged: r.good + r.bad };
    if (r.kind === "person") return { ...r, judged: r.good + r.bad, failed: null, unparsed: null };
    return { ...r, judged: null, good: null, failed: null, unparsed: null };
  });
}

export const localizerById = (db: Db, id: number) =>
  one<Pick<LocalizerRow, "id" | "kind" | "name" | "version">>(
    db,
    "select id, kind, name, version from localizer where id = ?",
    id,
  );

/** Steps of the trajectories a data set marks: what it does not mark is taken for good, so that precision is a lower bound. */
const MARKED = `select s.id as step_id, exists (select 1 from localization l where l.step_id = s.id and l.localizer_id = ? and l.current = 1 and l.verdict = 'bad') as bad
       from (select distinct m.step_id / ${SPAN} as tid from localization m where m.localizer_id = ? and m.current = 1) d
         join trajectory t on t.id = d.tid and t.superseded_by is null
         join step s on s.id between d.tid * ${SPAN} and d.tid * ${SPAN} + ${SPAN - 1} and s.number is not null`;

/**
 * Steps on which one judge gives a verdict, as `step_id, bad`: of a model or of people those they judged, of rules all they
 * judged, of a data set all steps of the trajectories it marks. Takes the id twice.
 */
const verdicts = (kind: SourceKind): string =>
  kind === "dataset"
    ? MARKED
    : kind === "rule"
      ? `select s.id as step_id, exists (select 1 from localization l where l.step_id = s.id and l.localizer_id = ? and l.current = 1 and l.verdict = 'bad') as bad
       from step s join trajectory t on t.id = s.id / ${SPAN} and t.superseded_by is null
       where s.number is not null and (s.note is null or s.note <> 'demonstration') and t.rules_version = (select version from localizer where id = ?)`
      : `select l.step_id, max(l.verdict = 'bad') as bad from localization l join trajectory t on t.id = l.step_id / ${SPAN} and t.superseded_by is null
       where l.localizer_id in (?, ?) and l.current = 1 and l.verdict in ('good', 'bad') group by l.step_id`;

type Judge = Pick<LocalizerRow, "id" | "kind">;

/** A model's verdicts are listed first and looked up in the rules' steps: rules judge far more of them. */
const listed = ({ kind }: Judge): string => (kind === "rule" ? "not materialized" : "materialized");
const BOTH = (a: Judge, b: Judge): string =>
  `with a as ${listed(a)} (${verdicts(a.kind)}), b as ${listed(b)} (${verdicts(b.kind)})`;

/**
 * Of two judges, by trajectory: how often both, one, or neither call a step bad, over the steps both judged. `only`: of
 * these steps (ids).
 */
export function agreementTables(
  db: Db,
  first: Judge,
  second: Judge,
  only?: readonly number[],
): { trajectoryId: number; bothBad: number; firstBad: number; secondBad: number; bothGood: number }[] {
  return all(
    db,
    `${BOTH(first, second)} select a.step_id / ${SPAN} as trajectoryId, sum(a.bad and b.bad) as bothBad, sum(a.bad and not b.bad) as firstBad,
       sum(b.bad and not a.bad) as secondBad, sum(not a.bad and not b.bad) as bothGood
     from a join b on b.step_id = a.step_id${only ? " where a.step_id in (select value from json_each(?))" : ""} group by 1 order by 1`,
    first.id,
    first.id,
    second.id,
    second.id,
    ...(only ? [JSON.stringify(only)] : []),
  );
}

/** A step on which two judges differ. */
export interface Disagreement {
  stepId: number;
  trajectoryId: number;
  number: number | null;
  preview: string;
  task: string | null;
  /** 1: the first judge calls it bad, the second good. */
  firstBad: number;
  firstReason: string | null;
  secondReason: string | null;
}

/** Steps on which two judges differ, in order. `after`: step id to go on from (exclusive). */
export function disagreements(
  db: Db,
  first: Judge,
  second: Judge,
  query: { after?: number; limit: number },
): Disagreement[] {
  const reason =
    "(select group_concat(l.reason, ' ') from localization l where l.step_id = s.id and l.localizer_id = ? and l.current = 1)";
  return all(
    db,
    `${BOTH(first, second)} select s.id as stepId, s.id / ${SPAN} as trajectoryId, s.number, s.preview, t.task, a.bad as firstBad,
       ${reason} as firstReason, ${reason} as secondReason
     from a join b on b.step_id = a.step_id join step s on s.id = a.step_id join trajectory t on t.id = s.id / ${SPAN}
     where a.bad <> b.bad and a.step_id > ? order by a.step_id limit ?`,
    first.id,
    first.id,
    second.id,
    second.id,
    first.id,
    second.id,
    query.after ?? 0,
    query.limit,
  );
}

/** A trajectory whose decisive error people named, with what one localizer says of it. Entries count from 0. */
export interface LabelledTrajectory {
  trajectoryId: number;
  steps: number;
  /** The entry people call decisive: the root cause, else the first they marked. */
  decisive: number;
  /** Category of that entry as the data set names it; null: it names none. */
  category: string | null;
  /** Entries of the localizer's steps that it judged. Of rules: all steps, when this version scanned it. */
  judged: number;
  /** Entries it calls bad, in order. */
  flagged: number[];
  /** Slugs it gives the first of them. */
  types: string[];
}

/** Trajectories with labels of a data set, with the flags of one localizer. */
export function labelledTrajectories(db: Db, dataset: string, judge: LocalizerRow): LabelledTrajectory[] {
  const rows = all<Omit<LabelledTrajectory, "flagged" | "types"> & { flagged: string; types: string }>(
    db,
    `with marks as (
       select l.step_id / ${SPAN} as tid, l.step_id, l.command_seen is not null and l.command_seen = 'root cause' as root
       from localization l join localizer z on z.id = l.localizer_id and z.kind = 'dataset' and z.name = ? where l.current = 1),
     decisive as (select tid, ifnull(min(case when root then step_id end), min(step_id)) as step_id from marks group by tid)
     select d.tid as trajectoryId, t.steps, d.step_id % ${SPAN} as decisive,
       (select e.slug from label b join error_type e on e.id = b.error_type_id join taxonomy x on x.id = e.taxonomy_id and x.origin = 'dataset'
          where b.step_id = d.step_id and b.current = 1 and b.source = 'dataset' order by b.id limit 1) as category,
       case when ? = 'rule' then case when t.rules_version = ? then t.steps else 0 end
         else (select count(distinct l.step_id) from localization l where l.localizer_id = ? and l.current = 1 and l.verdict in ('good', 'bad')
                 and l.step_id between d.tid * ${SPAN} and d.tid * ${SPAN} + ${SPAN - 1}) end as judged,
       (select json_group_array(entry) from (select distinct l.step_id % ${SPAN} as entry from localization l where l.localizer_id = ? and l.current = 1
          and l.verdict = 'bad' and l.step_id between d.tid * ${SPAN} and d.tid * ${SPAN} + ${SPAN - 1} order by 1)) as flagged,
       (select json_group_array(distinct e.slug) from label b join error_type e on e.id = b.error_type_id
          where b.current = 1 and b.value = 'yes' and b.source = ? and b.step_id =
            (select min(l.step_id) from localization l where l.localizer_id = ? and l.current = 1 and l.verdict = 'bad'
               and l.step_id between d.tid * ${SPAN} and d.tid * ${SPAN} + ${SPAN - 1})) as types
     from decisive d join trajectory t on t.id = d.tid and t.superseded_by is null order by d.tid`,
    dataset,
    judge.kind,
    judge.version,
    judge.id,
    judge.id,
    judge.kind,
    judge.id,
  );
  return rows.map((r) => ({ ...r, flagged: JSON.parse(r.flagged), types: JSON.parse(r.types) }));
}

/** Data sets whose labels by people are in the index. */
export const labelDatasets = (db: Db): string[] =>
  all<{ name: string }>(
    db,
    "select distinct z.name from localizer z join localization l on l.localizer_id = z.id and l.current = 1 where z.kind = 'dataset' order by 1",
  ).map(({ name }) => name);
