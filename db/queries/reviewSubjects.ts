import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { all, one } from "./prepared";

/** What the subject of an item is called, and where it is read. */
export interface SubjectPlace {
  title: string;
  /** What is asked about it beside the question: the misbehavior of a window or prefix. */
  about: string | null;
  href: string;
}

function stepPlace(db: Db, step: number): SubjectPlace | undefined {
  const [trajectoryId, entry] = [trajectoryOf(step), indexOf(step)];
  const row = one<{ number: number | null; task: string | null }>(
    db,
    "select s.number, t.task from step s join trajectory t on t.id = ? where s.id = ?",
    trajectoryId,
    step,
  );
  if (!row) return undefined;
  const { number, task } = row;
  return {
    title: `${number === null ? `Entry ${entry}` : `Step ${number}`} of trajectory ${trajectoryId}${task === null ? "" : `, ${task}`}`,
    about: null,
    href: `/trajectories/${trajectoryId}?${number === null ? `entry=${entry}` : `step=${number}`}`,
  };
}

function windowPlace(db: Db, sample: number): SubjectPlace | undefined {
  const row = one<{ trajectoryId: number | null; about: string | null; prefix: number }>(
    db,
    `select s.trajectory_id as trajectoryId, s.prefix_id as prefix, e.name as about
     from behavior_sample s left join error_type e on e.id = s.error_type_id where s.id = ?`,
    sample,
  );
  if (!row || row.trajectoryId === null) return undefined;
  return {
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
  return (
    row && {
      title: `Prefix ${prefix}, before entry ${indexOf(row.step)} of trajectory ${trajectoryOf(row.step)}`,
      about: row.about,
      href: `/prefixes/${prefix}`,
    }
  );
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
