import "server-only";
import type { Db } from "@/db/client";
import { all, one, type Value } from "./prepared";

/** A queue as agreement and settling need it. */
export interface ReviewQueueRow {
  id: number;
  name: string;
  question: "wrong" | "types" | "window" | "prefix";
  taxonomyId: number | null;
  evaluationId: number | null;
  raters: number;
  /** queue | norming */
  mode: string;
  /** open | closed, of a norming one blind | revealed | again | closed. */
  phase: string;
}

export const reviewQueueById = (db: Db, id: number): ReviewQueueRow | undefined =>
  one<ReviewQueueRow>(
    db,
    `select id, name, question, taxonomy_id as taxonomyId, evaluation_id as evaluationId, raters, mode, phase
     from review_queue where id = ?`,
    id,
  );

/** An answer that counts, with the place of its item. */
export interface AnswerRow {
  id: number;
  itemId: number;
  position: number;
  personId: number;
  person: string;
  round: number;
  verdict: string;
  types: number[];
  reason: string | null;
  durationMs: number | null;
  tooFast: 0 | 1;
  /** here | import */
  origin: string;
  createdAt: number;
}

const toAnswer = ({ types, ...row }: Omit<AnswerRow, "types"> & { types: string | null }): AnswerRow => ({
  ...row,
  types: types === null ? [] : (JSON.parse(types) as number[]),
});

/** Current answers of a queue, skips too, by item and then as they were given. `item`: of that one only. */
export const currentAnswers = (db: Db, queueId: number, item?: number): AnswerRow[] =>
  all<Omit<AnswerRow, "types"> & { types: string | null }>(
    db,
    `select a.id, a.item_id as itemId, i.position, a.person_id as personId, p.name as person, a.round, a.verdict, a.types,
       a.reason, a.duration_ms as durationMs, a.too_fast as tooFast, a.origin, a.created_at as createdAt
     from review_item i join review_answer a on a.item_id = i.id and a.current = 1 join person p on p.id = a.person_id
     where i.queue_id = ? ${item === undefined ? "" : "and i.id = ?"} order by i.position, a.id`,
    ...(item === undefined ? [queueId] : [queueId, item]),
  ).map(toAnswer);

/** An item with what holds of it. */
export interface ItemRow {
  id: number;
  position: number;
  subjectId: number;
  stratum: string | null;
  random: 0 | 1;
  gold: { verdict: string; types?: number[] } | null;
  /** gold | catch | null */
  goldKind: string | null;
  answers: number;
  /** open | answered | settled */
  status: string;
  settlementId: number | null;
  verdict: string | null;
  types: number[];
  /** unanimous | decided */
  method: string | null;
  comment: string | null;
  settledBy: string | null;
  settledAt: number | null;
}

type StoredItem = Omit<ItemRow, "gold" | "types"> & { gold: string | null; types: string | null };
const toItem = ({ gold, types, ...row }: StoredItem): ItemRow => ({
  ...row,
  gold: gold === null ? null : JSON.parse(gold),
  types: types === null ? [] : JSON.parse(types),
});

const itemRows = (db: Db, where: string, ...values: Value[]): ItemRow[] =>
  all<StoredItem>(
    db,
    `select i.id, i.position, i.subject_id as subjectId, i.stratum, i.random, i.gold, i.gold_kind as goldKind, i.answers, i.status,
       s.id as settlementId, s.verdict, s.types, s.method, s.comment, p.name as settledBy, s.created_at as settledAt
     from review_item i left join review_settlement s on s.item_id = i.id and s.current = 1 left join person p on p.id = s.person_id
     where ${where} order by i.position`,
    ...values,
  ).map(toItem);

/** Items of a queue with their settlements, in order. */
export const queueItems = (db: Db, queueId: number): ItemRow[] => itemRows(db, "i.queue_id = ?", queueId);

export const itemById = (db: Db, id: number): (ItemRow & { queueId: number }) | undefined => {
  const queueId = one<{ queueId: number }>(db, "select queue_id as queueId from review_item where id = ?", id)?.queueId;
  const [row] = itemRows(db, "i.id = ?", id);
  return row && queueId !== undefined ? { ...row, queueId } : undefined;
};

/** Types a queue offers, by id. */
export const offeredTypes = (db: Db, taxonomyId: number | null): { id: number; slug: string; name: string }[] =>
  taxonomyId === null
    ? []
    : all(
        db,
        "select id, slug, name from error_type where taxonomy_id = ? and status <> 'retired' order by rank, id",
        taxonomyId,
      );
