import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { type Queue, roundOf } from "@/lib/review/queue/queue";

/** How far a person and a queue are. */
export interface Progress {
  /** This person's current answers in the present round, and of them skips. */
  done: number;
  skipped: number;
  /** Items that this person could still be given, those in others' hands included. */
  left: number;
  /** Median milliseconds an answer over this person's last twenty; null before the first. */
  paceMs: number | null;
  /** `left` at this pace. */
  timeLeftMs: number | null;
  /** Of the whole queue. */
  queue: { items: number; complete: number };
}

const PACE_OVER = 20;

function pace(db: Db, queueId: number, personId: number): number | null {
  const times = all<{ ms: number }>(
    db,
    `select a.duration_ms as ms from review_answer a join review_item i on i.id = a.item_id
     where a.person_id = ? and i.queue_id = ? and a.duration_ms is not null order by a.created_at desc limit ${PACE_OVER}`,
    personId,
    queueId,
  )
    .map((row) => row.ms)
    .sort((a, b) => a - b);
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Progress of a person in a queue. */
export function progressOf(db: Db, queue: Queue, personId: number): Progress {
  const round = roundOf(queue) ?? (queue.mode === "norming" && queue.phase !== "blind" ? 2 : 1);
  const counts = one<{ items: number; complete: number; open: number }>(
    db,
    `select count(*) as items, sum(status <> 'open') as complete, sum(status = 'open') as open from review_item where queue_id = ?`,
    queue.id,
  );
  const own = one<{ done: number; skipped: number | null; open: number | null }>(
    db,
    `select count(*) as done, sum(a.verdict = 'skip') as skipped, sum(i.status = 'open') as open
     from review_answer a join review_item i on i.id = a.item_id
     where a.person_id = ? and i.queue_id = ? and a.round = ? and a.current = 1`,
    personId,
    queue.id,
    round,
  );
  const left = roundOf(queue) === null ? 0 : (counts?.open ?? 0) - (own?.open ?? 0);
  const paceMs = pace(db, queue.id, personId);
  return {
    done: own?.done ?? 0,
    skipped: own?.skipped ?? 0,
    left,
    paceMs,
    timeLeftMs: paceMs === null ? null : paceMs * left,
    queue: { items: counts?.items ?? 0, complete: counts?.complete ?? 0 },
  };
}

/** One of a person's own answers. */
export interface OwnRow {
  answerId: number;
  itemId: number;
  position: number;
  verdict: string;
  types: number[];
  reason: string | null;
  durationMs: number | null;
  tooFast: number;
  round: number;
  /** 0: changed or taken back later. */
  current: number;
  createdAt: number;
  /** Version of the guideline it was given under; null for an imported one. */
  guideline: number | null;
}

/** A person's own answers in a queue, newest first, `limit` at a time from below `before` (an answer's id). */
export function ownHistory(
  db: Db,
  queueId: number,
  personId: number,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit = 100,
    changed = true,
  }: { before?: number; limit?: number; changed?: boolean } = {},
): OwnRow[] {
  return all<Omit<OwnRow, "types"> & { types: string | null }>(
    db,
    `select a.id as answerId, a.item_id as itemId, i.position, a.verdict, a.types, a.reason, a.duration_ms as durationMs,
       a.too_fast as tooFast, a.round, a.current, a.created_at as createdAt, g.version as guideline
     from review_answer a join review_item i on i.id = a.item_id left join review_guideline g on g.id = a.guideline_id
     where a.person_id = ? and i.queue_id = ? and a.id < ? ${changed ? "" : "and a.current = 1"} order by a.id desc limit ?`,
    personId,
    queueId,
    before,
    limit,
  ).map((row) => ({ ...row, types: row.types === null ? [] : (JSON.parse(row.types) as number[]) }));
}
