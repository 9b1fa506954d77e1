import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { all, one } from "./prepared";

/** Where the subject of an item is read. */
export interface SubjectPlace {
  trajectoryId: number;
  /** Entries shown: the subject's own last. */
  from: number;
  count: number;
  /** The subject itself; null: it is all that is shown (a window, a prefix). */
  entry: number | null;
  title: string;
  /** What is asked about it beside the question: the misbehavior of a window or prefix. */
  about: string | null;
  href: string;
}

/** Entries shown before a step. */
const BEFORE = 2;
/** Entries shown of a window or at the end of a prefix. */
const MOST = 8;

function stepPlace(db: Db, step: number): SubjectPlace | undefined {
  const row = one<{ number: number | null; task: string | null }>(
    db,
    "select s.number, t.task from step s join trajectory t on t.id = ? where s.id = ?",
    trajectoryOf(step),
    step,
  );
  if (!row) return undefined;
  const [trajectoryId, entry] = [trajectoryOf(step), indexOf(step)];
  const from = Math.max(0, entry - BEFORE);
  return {
    ...{ trajectoryId, from, entry, count: entry - from + 1 },
    title: `${row.number === null ? `Entry ${entry}` : `Step ${row.number}`} of trajectory ${trajectoryId}${row.task === null ? "" : `, ${row.task}`}`,
    about: null,
    href: `/trajectories/${trajectoryId}?${row.number === null ? `entry=${entry}` : `step=${row.number}`}`,
  };
}

function windowPlace(db: Db, sample: number): SubjectPlace | undefined {
  const row = one<{
    trajectoryId: number | null;
    steps: number | null;
    own: number;
    about: string | null;
    prefix: number;
  }>(
    db,
    `select s.trajectory_id as trajectoryId, s.steps, s.prefix_id as prefix, e.name as about,
       ifnull((select t.entries from trajectory t where t.id = s.trajectory_id), 0) as own
     from behavior_sample s left join error_type e on e.id = s.error_type_id where s.id = ?`,
    sample,
  );
  if (!row || row.trajectoryId === null) return undefined;
  const count = Math.min(MOST, row.steps ?? MOST, row.own);
  return {
    ...{ trajectoryId: row.trajectoryId, from: row.own - count, count, entry: null },
    title: `Window ${sample}, after prefix ${row.prefix}`,
    about: row.about,
    href: `/trajectories/${row.trajectoryId}`,
  };
}

function prefixPlace(db: Db, prefix: number): SubjectPlace | undefined {
  const row = one<{ step: number; about: string | null }>(
    db,
    "select p.step_id as step, e.name as about from prefix p left join error_type e on e.id = p.error_type_id where p.id = ?",
    prefix,
  );
  if (!row) return undefined;
  const [trajectoryId, end] = [trajectoryOf(row.step), indexOf(row.step)];
  const from = Math.max(0, end - MOST);
  return {
    ...{ trajectoryId, from, count: end - from, entry: null },
    title: `Prefix ${prefix}, before entry ${end} of trajectory ${trajectoryId}`,
    about: row.about,
    href: `/prefixes/${prefix}`,
  };
}

/** Where the subject of a question is read; undefined when it is not there any more. */
export function subjectPlace(db: Db, question: string, subject: number): SubjectPlace | undefined {
  if (question === "window") return windowPlace(db, subject);
  if (question === "prefix") return prefixPlace(db, subject);
  return stepPlace(db, subject);
}

/** What people settled of a subject in a queue. */
export interface SettledOf {
  queueId: number;
  queue: string;
  position: number;
  verdict: string;
  comment: string | null;
  by: string | null;
  createdAt: number;
}

/** What people settled of a prefix as a training example, newest first. */
export const settledOfPrefix = (db: Db, prefix: number): SettledOf[] =>
  all<SettledOf>(
    db,
    `select q.id as queueId, q.name as queue, i.position, s.verdict, s.comment, p.name as by, s.created_at as createdAt
     from review_queue q cross join review_item i on i.queue_id = q.id and i.subject_id = ?
       cross join review_settlement s on s.item_id = i.id and s.current = 1 left join person p on p.id = s.person_id
     where q.question = 'prefix' order by s.id desc`,
    prefix,
  );
