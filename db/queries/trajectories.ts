import "server-only";
import type { Db } from "@/db/client";
import type { Cursor } from "./cursor";
import { all, marks, one, type Value } from "./prepared";
import { taxonomyInForce } from "./taxonomies";
import { type TrajectoryFilters, type Where, whereOf } from "./trajectory-filters";

/** What a list can be sorted by: column, index that holds it, and whether a file may leave it out. */
const SORTS = {
  newest: { column: "id", index: null, nullable: false },
  started: { column: "started_at", index: "trajectory_started", nullable: true },
  task: { column: "task", index: "trajectory_task", nullable: true },
  model: { column: "model", index: "trajectory_model", nullable: true },
  steps: { column: "steps", index: "trajectory_steps", nullable: false },
  errors: { column: "error_steps", index: "trajectory_errors", nullable: false },
  tokens: { column: "tokens", index: "trajectory_tokens", nullable: true },
  cost: { column: "cost_usd", index: "trajectory_cost", nullable: true },
  reward: { column: "reward", index: "trajectory_reward", nullable: true },
  duration: { column: "duration_ms", index: "trajectory_duration", nullable: true },
} as const;

export type SortKey = keyof typeof SORTS;
export const SORT_KEYS = Object.keys(SORTS) as SortKey[];
export type Direction = "asc" | "desc";

export interface ListRequest {
  filters: TrajectoryFilters;
  sort: SortKey;
  direction: Direction;
  limit: number;
  /** Rows after this place (`before` false) or before it. null: from the start, or from the end. */
  cursor: Cursor | null;
  before: boolean;
}

export interface TrajectoryRow {
  id: number;
  name: string | null;
  task: string | null;
  model: string | null;
  agent: string | null;
  format: string;
  outcome: string;
  reward: number | null;
  exitStatus: string | null;
  exceptionType: string | null;
  steps: number;
  errorSteps: number;
  tokens: number | null;
  costUsd: number | null;
  durationMs: number | null;
  startedAt: number | null;
  warnings: number;
  parentId: number | null;
  createdAt: number;
  /** Rule set that scanned it; null before the first scan, when no error step only means that nobody looked. */
  rulesVersion: string | null;
  /** Misbehaviors by error steps, most first. */
  types: { slug: string; name: string; errorSteps: number }[];
}

export interface ListPage {
  rows: TrajectoryRow[];
  total: number;
  /** Cursors of the neighbouring pages; null where there is none. */
  next: Cursor | null;
  previous: Cursor | null;
}

interface Place {
  id: number;
  k: string | number | null;
}

/** Rows an index walk may look at before a scan of the whole table is cheaper. */
const PROBE = 2000;

/** A stretch of the sorted list that one index range yields in order. */
interface Stretch {
  where: string;
  values: Value[];
  order: string;
}

/** The stretches after `cursor`, in reading order: its ties, the rest, the unknown ones. Unknown is last in both directions. */
function stretches(request: ListRequest): Stretch[] {
  const { column, nullable } = SORTS[request.sort];
  const { cursor, before } = request;
  const flip = (d: Direction): Direction => (before ? (d === "asc" ? "desc" : "asc") : d);
  const dir = flip(request.direction);
  const past = dir === "asc" ? ">" : "<";
  if (column === "id") {
    const where = cursor ? `s.id ${past} ?` : "1";
    return [{ where, values: cursor ? [cursor.id] : [], order: `s.id ${dir}` }];
  }
  const order = `s.${column} ${dir}, s.id ${dir}`;
  const known: Stretch = { where: `s.${column} is not null`, values: [], order };
  const unknown: Stretch = { where: `s.${column} is null`, values: [], order: `s.id ${dir}` };
  const ordered = (list: Stretch[]) => (before ? list.toReversed() : list);
  if (!cursor) return nullable ? ordered([known, unknown]) : [known];
  if (cursor.value === null) {
    const rest = { ...unknown, where: `${unknown.where} and s.id ${past} ?`, values: [cursor.id] };
    return before ? [rest, known] : [rest];
  }
  const ties: Stretch = {
    where: `s.${column} = ? and s.id ${past} ?`,
    values: [cursor.value, cursor.id],
    order: `s.id ${dir}`,
  };
  const beyond: Stretch = { where: `s.${column} ${past} ?`, values: [cursor.value], order };
  return before || !nullable ? [ties, beyond] : [ties, beyond, unknown];
}

/** Walks the sort's index; null when the walk saw too many rows that do not match to fill the page. */
function walk(db: Db, request: ListRequest, where: Where): Place[] | null {
  const { column, index } = SORTS[request.sort];
  const found: Place[] = [];
  const wanted = request.limit + 1;
  const driven = where.from !== "trajectory t";
  const typed = driven
    ? `cross join trajectory t on t.id = p.id cross join trajectory_type x on x.scope = ? and x.trajectory_id = p.id`
    : "cross join trajectory t on t.id = p.id";
  for (const stretch of stretches(request)) {
    const inner = `select s.id, s.${column} as k from trajectory s ${index ? `indexed by ${index}` : ""} where ${stretch.where} order by ${stretch.order} limit ?`;
    const values = driven ? [...stretch.values, PROBE, where.values[0] ?? null] : [...stretch.values, PROBE];
    const rows = all<Place & { seen: number }>(
      db,
      `with p as materialized (${inner})
       select p.id, p.k, 1 as seen from p ${typed} where ${where.sql} limit ?`,
      ...values,
      ...where.values,
      wanted - found.length,
    );
    found.push(...rows.map(({ id, k }) => ({ id, k })));
    if (found.length >= wanted) return found;
    const seen = one<{ n: number }>(db, `select count(*) as n from (${inner})`, ...stretch.values, PROBE)?.n ?? 0;
    if (seen >= PROBE) return null;
  }
  return found;
}

/** One scan that gives both the page and the total. */
function scan(db: Db, request: ListRequest, where: Where): { places: Place[]; total: number } {
  const { column } = SORTS[request.sort];
  const flipped = request.before ? (request.direction === "asc" ? "desc" : "asc") : request.direction;
  const past = flipped === "asc" ? ">" : "<";
  const nullsFirst = request.before;
  const { cursor } = request;
  let keyset = "1";
  const values: Value[] = [];
  if (cursor && cursor.value === null) {
    keyset = nullsFirst ? `(k is not null or id ${past} ?)` : `(k is null and id ${past} ?)`;
    values.push(cursor.id);
  } else if (cursor) {
    keyset = `((k, id) ${past} (?, ?)${nullsFirst ? "" : " or k is null"})`;
    values.push(cursor.value, cursor.id);
  }
  const rows = all<{ n: number; id: number | null; k: string | number | null }>(
    db,
    `with m as materialized (select t.id as id, t.${column} as k from ${where.from} where ${where.sql})
     select c.n, p.id, p.k from (select count(*) as n from m) c
     left join (select id, k from m where ${keyset} order by k is null ${nullsFirst ? "desc" : "asc"}, k ${flipped}, id ${flipped} limit ?) p on 1`,
    ...where.values,
    ...values,
    request.limit + 1,
  );
  return {
    places: rows.flatMap((r) => (r.id === null ? [] : [{ id: r.id, k: r.k }])),
    total: rows[0]?.n ?? 0,
  };
}

/** How many trajectories match: from the counters where they can say it, else by one scan. */
export function countTrajectories(db: Db, where: Where): number {
  const { counted } = where;
  const row = counted
    ? one<{ n: number | null }>(
        db,
        `select sum(c.trajectories) as n from corpus_count c where ${counted.sql}`,
        ...counted.values,
      )
    : one<{ n: number | null }>(db, `select count(*) as n from ${where.from} where ${where.sql}`, ...where.values);
  return row?.n ?? 0;
}

const COLUMNS = `id, name, task, model, agent, format, outcome, reward, exit_status as exitStatus, exception_type as exceptionType,
  steps, error_steps as errorSteps, tokens, cost_usd as costUsd, duration_ms as durationMs, started_at as startedAt,
  warnings, parent_id as parentId, created_at as createdAt, rules_version as rulesVersion`;

/** Rows by id, in the order of the ids. */
export function trajectoriesByIds(db: Db, ids: number[]): TrajectoryRow[] {
  if (ids.length === 0) return [];
  const rows = all<Omit<TrajectoryRow, "types">>(
    db,
    `select ${COLUMNS} from trajectory where id in (${marks(ids)})`,
    ...ids,
  );
  const types = all<{ id: number; slug: string; name: string; errorSteps: number }>(
    db,
    `select x.trajectory_id as id, e.slug, e.name, x.error_steps as errorSteps
     from trajectory_type x join error_type e on e.id = x.scope join taxonomy y on y.id = e.taxonomy_id
     where x.scope > 0 and (y.id = ? or y.origin = 'dataset') and x.trajectory_id in (${marks(ids)}) order by x.error_steps desc, e.rank`,
    taxonomyInForce(db),
    ...ids,
  );
  const byId = new Map(rows.map((row) => [row.id, { ...row, types: [] as TrajectoryRow["types"] }]));
  for (const { id, ...type } of types) byId.get(id)?.types.push(type);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * A page of the list by keyset: rows in order, exact total, cursors of the neighbours. Tries a bounded walk of the
 * sort's index first (pages of broad filters), then one scan (few matches, or matches far down the index).
 */
export function listTrajectories(db: Db, request: ListRequest): ListPage {
  const where = whereOf(db, request.filters);
  let places = walk(db, request, where);
  let total: number;
  if (places) total = countTrajectories(db, where);
  else {
    const scanned = scan(db, request, where);
    places = scanned.places;
    total = scanned.total;
  }
  const more = places.length > request.limit;
  const page = places.slice(0, request.limit);
  if (request.before) page.reverse();
  const at = (place: Place | undefined): Cursor | null => (place ? { value: place.k, id: place.id } : null);
  const hasNext = request.before ? request.cursor !== null : more;
  const hasPrevious = request.before ? more : request.cursor !== null;
  return {
    rows: trajectoriesByIds(
      db,
      page.map((p) => p.id),
    ),
    total,
    next: hasNext ? at(page.at(-1)) : null,
    previous: hasPrevious ? at(page[0]) : null,
  };
}
