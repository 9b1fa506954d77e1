import "server-only";
import type { Db } from "@/db/client";
import { indexOf, SPAN, trajectoryOf } from "@/db/ids";
import { all, one } from "@/db/queries/prepared";
import { type EntryRow, entryWindow } from "@/db/queries/reader-entries";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { ReviewRefused } from "@/lib/review/queue/queue";
import type { Question } from "@/lib/review/types";
import { judgedMode } from "@/lib/train/rollout/starts";

/** What an item asks about: entries of a trajectory, in indices with both ends included. */
export interface Subject {
  trajectoryId: number;
  from: number;
  to: number;
  /** Entries after this one are not shown before the own answer: they are outside of the question or give it away. */
  until: number;
  /** Misbehavior in question; null where the question names none. */
  asks: { name: string; definition: string; excludes: string[] } | null;
  /** Words that have to be read before answering. */
  words: number;
}

const LAST = SPAN - 1;
/** Words of one output that count as read: logs are skimmed. */
const SKIMMED = 100;

const wordsIn = (text: string | null | undefined, most = Number.POSITIVE_INFINITY): number =>
  text ? Math.min(most, text.match(/\S+/g)?.length ?? 0) : 0;

/** Words of an entry as a rater reads it: what was said, the command, and the beginning of each output. */
const wordsOf = ({ body }: EntryRow): number =>
  wordsIn(body.thinking) +
  wordsIn(body.message) +
  wordsIn(body.call?.command) +
  body.observations.reduce((n, o) => n + wordsIn(o.content, SKIMMED), 0);

const words = (db: Db, trajectoryId: number, from: number, to: number): number =>
  entryWindow(db, trajectoryId, from, to - from + 1).reduce((n, row) => n + wordsOf(row), 0);

function modeOf(db: Db, errorTypeId: number | null): Subject["asks"] {
  if (errorTypeId === null) return null;
  const { name, definition, excludes } = judgedMode(db, errorTypeId);
  return { name, definition, excludes };
}

function stepSubject(db: Db, stepId: number): Omit<Subject, "asks"> {
  const trajectoryId = trajectoryOf(stepId);
  const index = indexOf(stepId);
  const row = one<{ note: string | null }>(db, "select note from step where id = ?", stepId);
  if (!row) throw new ReviewRefused("the step of this item is no longer in the index", "not-found");
  // What follows a rejected step is the teacher's correction of it, which says that it was called wrong.
  const until = row.note === "rejected" ? index : LAST;
  return { trajectoryId, from: index, to: index, until, words: words(db, trajectoryId, index, index) };
}

/** Entries a sample began with: those the policy had seen before the step of its prefix. */
function seenBefore(db: Db, stepId: number): number {
  const first = trajectoryOf(stepId) * SPAN;
  const row = one<{ n: number }>(
    db,
    "select count(*) as n from step where id >= ? and id < ? and ifnull(note, '') <> 'rejected'",
    first,
    stepId,
  );
  return row?.n ?? 0;
}

function windowSubject(db: Db, sampleId: number): Subject {
  const row = one<{ trajectoryId: number; stepId: number; errorTypeId: number; protocol: string }>(
    db,
    `select s.trajectory_id as trajectoryId, p.step_id as stepId, s.error_type_id as errorTypeId, v.protocol
     from behavior_sample s join prefix p on p.id = s.prefix_id join evaluation v on v.id = s.evaluation_id where s.id = ?`,
    sampleId,
  );
  if (!row?.trajectoryId) throw new ReviewRefused("the window of this item is no longer in the index", "not-found");
  const { trajectoryId } = row;
  const m = behaviorProtocol.parse(JSON.parse(row.protocol)).window;
  const from = seenBefore(db, row.stepId);
  const after = all<{ id: number; kind: string }>(
    db,
    "select id, kind from step where id between ? and ? order by id",
    trajectoryId * SPAN + from,
    trajectoryId * SPAN + LAST,
  );
  let steps = 0;
  let to = from;
  for (const { id, kind } of after) {
    if (kind === "agent" && ++steps > m) break;
    to = indexOf(id);
  }
  const asks = modeOf(db, row.errorTypeId);
  return { trajectoryId, from, to, until: to, asks, words: words(db, trajectoryId, from, to) };
}

/** Entries before the step of a prefix that are read with it. */
const NEAR = 3;

function prefixSubject(db: Db, prefixId: number): Subject {
  const row = one<{ stepId: number; errorTypeId: number | null }>(
    db,
    "select step_id as stepId, error_type_id as errorTypeId from prefix where id = ?",
    prefixId,
  );
  if (!row) throw new ReviewRefused("the prefix of this item is no longer in the index", "not-found");
  const subject = stepSubject(db, row.stepId);
  const { trajectoryId, from, to } = subject;
  return {
    ...subject,
    until: to,
    asks: modeOf(db, row.errorTypeId),
    words: words(db, trajectoryId, Math.max(0, from - NEAR), to),
  };
}

const known = new WeakMap<Db, Map<string, Subject>>();
const LIMIT = 5000;

/** What an item of this question asks about. Kept in memory: it is read for each showing and each answer. Throws ReviewRefused when it is gone. */
export function subjectOf(db: Db, question: Question, subjectId: number): Subject {
  let cache = known.get(db);
  if (!cache) {
    cache = new Map();
    known.set(db, cache);
  }
  const key = `${question}:${subjectId}`;
  const found = cache.get(key);
  if (found) return found;
  const made =
    question === "window"
      ? windowSubject(db, subjectId)
      : question === "prefix"
        ? prefixSubject(db, subjectId)
        : { ...stepSubject(db, subjectId), asks: null };
  if (cache.size >= LIMIT) cache.clear();
  cache.set(key, made);
  return made;
}
