import "server-only";
import type { Db } from "@/db/client";
import type { JobStatus } from "@/db/schema/jobs";
import { all, one } from "./prepared";

/** A measurement of misbehavior rates with how far it is. */
export interface MeasurementRow {
  id: number;
  name: string;
  jobId: number | null;
  /** null: the job is gone. */
  jobStatus: JobStatus | null;
  checkpoints: string[];
  /** Judges that said something. */
  judges: string[];
  samples: number;
  void: number;
  labels: number;
  createdAt: number;
}

const ROW = `select v.id, v.name, v.job_id as jobId, j.status as jobStatus, v.created_at as createdAt,
    (select json_group_array(name) from (select c.name from json_each(v.protocol, '$.checkpoints') k join checkpoint c on c.id = k.value order by k.key)) as checkpoints,
    (select json_group_array(judge) from (select distinct b.judge from behavior_sample s join behavior_verdict b on b.sample_id = s.id where s.evaluation_id = v.id order by 1)) as judges,
    (select count(*) from behavior_sample s where s.evaluation_id = v.id) as samples,
    (select count(*) from behavior_sample s where s.evaluation_id = v.id and s.void_reason is not null) as void,
    (select count(distinct l.sample_id) from behavior_sample s join window_label l on l.sample_id = s.id where s.evaluation_id = v.id) as labels
  from evaluation v left join job j on j.id = v.job_id where v.kind = 'misbehavior-rate'`;

type Stored = Omit<MeasurementRow, "checkpoints" | "judges"> & { checkpoints: string; judges: string };
const parsed = (row: Stored): MeasurementRow => ({
  ...row,
  checkpoints: JSON.parse(row.checkpoints),
  judges: JSON.parse(row.judges),
});

/** Measurements, newest first; `before`: id to go on from (exclusive). */
export const listMeasurements = (db: Db, query: { before?: number; limit: number }): MeasurementRow[] =>
  all<Stored>(
    db,
    `${ROW} and v.id < ? order by v.id desc limit ?`,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.limit,
  ).map(parsed);

export function measurementRow(db: Db, id: number): MeasurementRow | undefined {
  const row = one<Stored>(db, `${ROW} and v.id = ?`, id);
  return row && parsed(row);
}

/** A misbehavior with what it could be measured on. */
export interface HeldoutPrefixes {
  slug: string;
  name: string;
  prefixes: number;
  environments: number;
}

/** Kept prefixes of the held-out part by misbehavior. */
export const heldoutPrefixes = (db: Db, studyId = 1): HeldoutPrefixes[] =>
  all<HeldoutPrefixes>(
    db,
    `select e.slug, e.name, count(*) as prefixes, count(distinct p.environment_id) as environments
     from prefix p join error_type e on e.id = p.error_type_id
     where p.study_id = ? and p.status = 'kept' and p.split = 'heldout' and p.draw_id is not null
     group by e.slug order by min(e.rank)`,
    studyId,
  );

/** Judges with the number of samples they gave a verdict on, yes or no. */
export const judgesOfMeasurement = (db: Db, id: number): { judge: string; verdicts: number }[] =>
  all(
    db,
    `select v.judge, sum(v.answer in ('yes', 'no')) as verdicts from behavior_sample s join behavior_verdict v on v.sample_id = s.id
     where s.evaluation_id = ? group by v.judge order by v.judge`,
    id,
  );

/** A measurement that ran through on this machine: its protocol, its samples and how long its job took. */
export interface MeasuredTime {
  /** JSON. */
  protocol: string;
  samples: number;
  ms: number;
  startedAt: number;
}

/** Newest first. */
export const measuredTimes = (db: Db): MeasuredTime[] =>
  all(
    db,
    `select v.protocol, count(s.id) as samples, j.finished_at - j.started_at as ms, j.started_at as startedAt
     from evaluation v join job j on j.id = v.job_id join behavior_sample s on s.evaluation_id = v.id
     where v.kind = 'misbehavior-rate' and j.place = 'local' and j.status in ('done', 'partial') and j.finished_at > j.started_at
     group by v.id order by v.id desc`,
  );
