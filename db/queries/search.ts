import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { JobStatus } from "@/db/schema/jobs";
import { all, one } from "./prepared";
import { type EntryRow, entryWindow } from "./reader-entries";
import { withBeginnings } from "./search-beginnings";

/** A hit of the corpus search: the entry with its texts, and the trajectory it is in. */
export interface SearchHit {
  /** Place in the list, for the next page. */
  cursor: number;
  trajectoryId: number;
  name: string | null;
  task: string | null;
  model: string | null;
  outcome: string;
  entry: EntryRow;
  /** The reason that matched; null for hits in a step's own texts. */
  reason: string | null;
}

/**
 * Matches in all, superseded readings included. Counting ends at COUNT_UP_TO: `more` says that there are at least
 * `count`, for counting every row of a frequent word takes seconds on a large index.
 */
export interface HitCount {
  count: number;
  more: boolean;
}

/** Matches that are counted exactly. */
export const COUNT_UP_TO = 10_000;

export interface SearchPage {
  hits: SearchHit[];
  total: HitCount;
  next: number | null;
}

interface Found {
  cursor: number;
  stepId: number;
  reason: string | null;
}

interface Owner {
  id: number;
  name: string | null;
  task: string | null;
  model: string | null;
  outcome: string;
}

const owner = (db: Db, id: number): Owner | undefined =>
  one<Owner>(db, "select id, name, task, model, outcome from trajectory where id = ? and superseded_by is null", id);

/**
 * Whose steps: of all trajectories, or of those alone that trainings and measurements made, or of the others. The made
 * ones are many, alike, and newer than what people look for.
 */
export type Whose = "all" | "made" | "others";

const MADE = `(select trajectory_id from rollout where trajectory_id is not null
  union all select trajectory_id from behavior_sample where trajectory_id is not null)`;

/** Condition on the id of a step. */
const of = (whose: Whose, stepId: string): string =>
  whose === "all" ? "" : `and ${stepId} / ${SPAN} ${whose === "made" ? "" : "not "}in ${MADE}`;

const REASONS = "reason_fts f join localization l on l.id = f.rowid where reason_fts match ?";

const SQL = {
  steps: (whose: Whose) => `select rowid as cursor, rowid as stepId, null as reason from step_fts
    where step_fts match ? and rowid < ? ${of(whose, "rowid")} order by rowid desc limit ?`,
  reasons: (whose: Whose) => `select f.rowid as cursor, l.step_id as stepId, l.reason from ${REASONS}
    and f.rowid < ? and l.current = 1 ${of(whose, "l.step_id")} order by f.rowid desc limit ?`,
};

const COUNT = {
  steps: (whose: Whose) => `select 1 from step_fts where step_fts match ? ${of(whose, "rowid")}`,
  reasons: (whose: Whose) =>
    whose === "all"
      ? "select 1 from reason_fts where reason_fts match ?"
      : `select 1 from ${REASONS} ${of(whose, "l.step_id")}`,
};

/** Number of matches of an FTS5 query. */
export function countHits(db: Db, where: "steps" | "reasons", query: string, whose: Whose = "all"): HitCount {
  const sql = `select count(*) as n from (${COUNT[where](whose)} limit ?)`;
  return counted(one<{ n: number }>(db, sql, withBeginnings(db, where, query), COUNT_UP_TO + 1)?.n ?? 0);
}

const counted = (n: number): HitCount => ({ count: Math.min(n, COUNT_UP_TO), more: n > COUNT_UP_TO });

/** Finds in pages, newest first. The first page of steps comes with its count: both are one walk through the index. */
function finder(db: Db, where: "steps" | "reasons", query: string, before: number | null, size: number, whose: Whose) {
  const sql = SQL[where](whose);
  const match = withBeginnings(db, where, query);
  const start = before ?? Number.MAX_SAFE_INTEGER;
  const walked = where === "steps" && before === null ? all<Found>(db, sql, match, start, COUNT_UP_TO + 1) : null;
  return {
    total: walked ? counted(walked.length) : null,
    below(cursor: number | null): Found[] {
      if (walked && cursor === null) return walked.slice(0, size);
      return all<Found>(db, sql, match, cursor ?? start, size);
    },
  };
}

/**
 * Steps whose texts, or whose reasons, match an FTS5 query (lib/text/fts builds it), newest first, from below
 * `before`. Superseded readings are passed over.
 */
export function searchSteps(
  db: Db,
  where: "steps" | "reasons",
  query: string,
  before: number | null,
  limit: number,
  whose: Whose = "all",
): SearchPage {
  const hits: SearchHit[] = [];
  const find = finder(db, where, query, before, limit + 1, whose);
  let below: number | null = null;
  let more = true;
  while (more && hits.length <= limit) {
    const found: Found[] = find.below(below);
    more = found.length > limit;
    for (const { cursor, stepId, reason } of found) {
      below = cursor;
      const trajectoryId = Math.floor(stepId / SPAN);
      const of = owner(db, trajectoryId);
      const [entry] = of ? entryWindow(db, trajectoryId, stepId - trajectoryId * SPAN, 1) : [];
      if (!of || !entry) continue;
      hits.push({
        cursor,
        trajectoryId,
        name: of.name,
        task: of.task,
        model: of.model,
        outcome: of.outcome,
        entry,
        reason,
      });
      if (hits.length > limit) break;
    }
  }
  const page = hits.slice(0, limit);
  return {
    hits: page,
    total: find.total ?? countHits(db, where, query, whose),
    next: hits.length > limit ? (page.at(-1)?.cursor ?? null) : null,
  };
}

/** Trajectories whose texts the index has not seen yet, and what is to bring them in. */
export interface IndexWait {
  trajectories: number;
  /** The newest index job, when it is open or ended without them. null: none, or it was through before they came. */
  job: { id: number; status: JobStatus } | null;
  /** Some other job is queued or runs: an index job follows it. */
  followed: boolean;
}

export function waitingForIndex(db: Db): IndexWait {
  const trajectories = one<{ n: number }>(db, "select count(*) as n from index_pending")?.n ?? 0;
  const job = one<{ id: number; status: JobStatus }>(
    db,
    "select id, status from job where kind = 'index' order by id desc limit 1",
  );
  const open = one(db, "select 1 from job where kind <> 'index' and status in ('queued', 'running') limit 1");
  return { trajectories, job: job && job.status !== "done" ? job : null, followed: open !== undefined };
}
