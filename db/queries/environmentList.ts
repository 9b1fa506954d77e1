import "server-only";
import type { Db } from "@/db/client";
import type { Cursor } from "./cursor";
import { all, marks, one, type Value } from "./prepared";

/** What the list can be sorted by. Unknown values do not occur. */
export const ENVIRONMENT_SORTS = ["newest", "name", "dataset", "trajectories", "prefixes"] as const;
export type EnvironmentSort = (typeof ENVIRONMENT_SORTS)[number];

/**
 * Where the newest checks leave an environment. sound: solution 1 and nothing 0; unsound: a finished check says otherwise;
 * void: a newest check could not be run; unchecked: it has files, and a check is missing; bare: only trajectories name it.
 */
export const ENVIRONMENT_STATES = ["sound", "unsound", "void", "unchecked", "bare"] as const;
export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number];

export interface EnvironmentFilters {
  /** Part of name or data set. */
  q: string;
  kinds: string[];
  /** "" is "no data set". */
  datasets: string[];
  states: EnvironmentState[];
}

export interface EnvironmentRequest {
  filters: EnvironmentFilters;
  sort: EnvironmentSort;
  direction: "asc" | "desc";
  limit: number;
  cursor: Cursor | null;
  before: boolean;
}

/** Newest check of one kind. `reward` null: void. */
export interface CheckSummary {
  status: "done" | "void";
  reward: number | null;
  driver: string;
  voidReason: string | null;
  createdAt: number;
  /** The files changed since. */
  outdated: boolean;
}

export interface EnvironmentRow {
  id: number;
  name: string;
  dataset: string;
  kind: string;
  family: string | null;
  digest: string | null;
  /** JSON of EnvironmentSpec; "{}" when it has no files. */
  spec: string;
  state: EnvironmentState;
  trajectories: number;
  prefixes: number;
  kept: number;
  solution: CheckSummary | null;
  nothing: CheckSummary | null;
}

export interface EnvironmentPage {
  rows: EnvironmentRow[];
  total: number;
  next: Cursor | null;
  previous: Cursor | null;
}

/** Newest check of a kind, of the files as they are now. */
const newest = (what: string, column: string) =>
  `(select c.${column} from environment_check c where c.environment_id = e.id and c.what = '${what}' and c.digest is e.digest order by c.id desc limit 1)`;

const STATE = `case
  when e.digest is null then 'bare'
  when ${newest("solution", "status")} = 'void' or ${newest("nothing", "status")} = 'void' then 'void'
  when ${newest("solution", "reward")} < 1 or ${newest("nothing", "reward")} <> 0 then 'unsound'
  when ${newest("solution", "reward")} >= 1 and ${newest("nothing", "reward")} = 0 then 'sound'
  else 'unchecked' end`;

const KEYS: Record<EnvironmentSort, string> = {
  newest: "e.id",
  name: "e.name",
  dataset: "e.dataset",
  trajectories: "(select ifnull(sum(k.trajectories), 0) from corpus_count k where k.environment_id = e.id)",
  prefixes: "(select count(*) from prefix p where p.environment_id = e.id)",
};

function whereOf(filters: EnvironmentFilters): { sql: string; values: Value[] } {
  const parts = ["1"];
  const values: Value[] = [];
  if (filters.q !== "") {
    parts.push("(instr(lower(e.name), lower(?)) or instr(lower(e.dataset), lower(?)))");
    values.push(filters.q, filters.q);
  }
  for (const [column, chosen] of [
    ["e.kind", filters.kinds],
    ["e.dataset", filters.datasets],
    [STATE, filters.states],
  ] as const) {
    if (chosen.length === 0) continue;
    parts.push(`${column} in (${marks([...chosen])})`);
    values.push(...chosen);
  }
  return { sql: parts.join(" and "), values };
}

type Raw = Omit<EnvironmentRow, "solution" | "nothing">;

function checksOf(db: Db, ids: number[]): Map<string, CheckSummary> {
  if (ids.length === 0) return new Map();
  const rows = all<Omit<CheckSummary, "outdated"> & { environmentId: number; what: string; outdated: number }>(
    db,
    `select c.environment_id as environmentId, c.what, c.status, c.reward, c.driver, c.void_reason as voidReason,
       c.created_at as createdAt, c.digest is not e.digest as outdated
     from environment_check c join environment e on e.id = c.environment_id
     where c.id in (select max(id) from environment_check where environment_id in (${marks(ids)}) group by environment_id, what)`,
    ...ids,
  );
  return new Map(
    rows.map(({ environmentId, what, outdated, ...c }) => [
      `${environmentId}:${what}`,
      { ...c, outdated: outdated === 1 },
    ]),
  );
}

/** A page of environments, by keyset. */
export function listEnvironments(db: Db, request: EnvironmentRequest): EnvironmentPage {
  const where = whereOf(request.filters);
  const { cursor, before } = request;
  const ascending = (request.direction === "asc") !== before;
  const dir = ascending ? "asc" : "desc";
  const past = ascending ? ">" : "<";
  const keyset = cursor ? `(k, id) ${past} (?, ?)` : "1";
  const values: Value[] = cursor ? [cursor.value, cursor.id] : [];
  const places = all<{ id: number; k: string | number }>(
    db,
    `with m as materialized (select e.id as id, ${KEYS[request.sort]} as k from environment e where ${where.sql})
     select id, k from m where ${keyset} order by k ${dir}, id ${dir} limit ?`,
    ...where.values,
    ...values,
    request.limit + 1,
  );
  const total =
    one<{ n: number }>(db, `select count(*) as n from environment e where ${where.sql}`, ...where.values)?.n ?? 0;
  const more = places.length > request.limit;
  const shown = places.slice(0, request.limit);
  if (before) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const at = (p: { id: number; k: string | number } | undefined): Cursor | null =>
    p ? { value: p.k, id: p.id } : null;
  return {
    rows: environmentsByIds(
      db,
      shown.map((p) => p.id),
    ),
    total,
    next: (before ? cursor !== null : more) ? at(last) : null,
    previous: (before ? more : cursor !== null) ? at(first) : null,
  };
}

/** Environments by id, in the order of the ids. */
export function environmentsByIds(db: Db, ids: number[]): EnvironmentRow[] {
  if (ids.length === 0) return [];
  const raw = all<Raw>(
    db,
    `select e.id, e.name, e.dataset, e.kind, e.family, e.digest, e.spec, ${STATE} as state,
       ${KEYS.trajectories} as trajectories, ${KEYS.prefixes} as prefixes,
       (select count(*) from prefix p where p.environment_id = e.id and p.status = 'kept') as kept
     from environment e where e.id in (${marks(ids)})`,
    ...ids,
  );
  const checks = checksOf(db, ids);
  const byId = new Map(raw.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    return [{ ...row, solution: checks.get(`${id}:solution`) ?? null, nothing: checks.get(`${id}:nothing`) ?? null }];
  });
}

/** Values to filter by, with how many environments have each. */
export function environmentFacets(db: Db): {
  total: number;
  withFiles: number;
  kinds: { value: string; n: number }[];
  datasets: { value: string; n: number }[];
  states: { value: EnvironmentState; n: number }[];
} {
  const facet = (column: string) =>
    all<{ value: string; n: number }>(
      db,
      `select ${column} as value, count(*) as n from environment group by 1 order by n desc, 1 limit 200`,
    );
  const states = all<{ value: EnvironmentState; n: number }>(
    db,
    `select ${STATE} as value, count(*) as n from environment e group by 1 order by n desc`,
  );
  const totals = one<{ total: number; withFiles: number }>(
    db,
    "select count(*) as total, count(digest) as withFiles from environment",
  );
  return {
    total: totals?.total ?? 0,
    withFiles: totals?.withFiles ?? 0,
    kinds: facet("kind"),
    datasets: facet("dataset"),
    states,
  };
}
