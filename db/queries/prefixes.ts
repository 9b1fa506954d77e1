import "server-only";
import type { Db } from "@/db/client";
import { indexOf, SPAN, trajectoryOf } from "@/db/ids";
import type { Cursor } from "./cursor";
import { PREFIX_FROM, PREFIX_REVIEW, type PrefixFilters, prefixWhere } from "./prefix-filters";
import { all, one } from "./prepared";

/** What a list of prefixes can be sorted by, and the expression it is sorted on. Unknown values come last. */
const SORTS = {
  newest: "p.id",
  misbehavior: "e.rank",
  environment: "v.name",
  status: "p.status",
  cause: "p.cause",
  commands: "p.commands",
  exact: "case when p.reruns > 0 then 1.0 * p.exact / p.reruns end",
} as const;
export type PrefixSort = keyof typeof SORTS;
export const PREFIX_SORTS = Object.keys(SORTS) as PrefixSort[];

export interface PrefixRow {
  id: number;
  stepId: number;
  trajectoryId: number;
  /** Entry index of the step the prefix ends before. */
  entry: number;
  /** Its step number; null for entries that are no steps. */
  number: number | null;
  preview: string;
  misbehavior: string | null;
  misbehaviorSlug: string | null;
  environment: string | null;
  model: string | null;
  split: string | null;
  status: string;
  cause: string | null;
  commands: number;
  reruns: number;
  exact: number;
  normalisedKept: number | null;
  exitCodeKept: number | null;
  drawId: number | null;
  /** What people settled of it as a training example: good | bad; null: they did not. */
  review: string | null;
  /** Why the newest rerun is void; null unless the prefix is. */
  voidReason: string | null;
}

const COLUMNS = `p.id, p.step_id as stepId, s.number, s.preview, e.name as misbehavior, e.slug as misbehaviorSlug, v.name as environment,
  t.model, p.split, p.status, p.cause, p.commands, p.reruns, p.exact, p.normalised_kept as normalisedKept,
  p.exit_code_kept as exitCodeKept, p.draw_id as drawId, ${PREFIX_REVIEW} as review,
  case p.status when 'void' then (select void_reason from rerun r where r.prefix_id = p.id and r.verdict = 'void' order by r.id desc limit 1) end as voidReason`;

export interface PrefixRequest {
  filters: PrefixFilters;
  sort: PrefixSort;
  direction: "asc" | "desc";
  limit: number;
  /** Rows after this place (`before` false) or before it; null: from the start. */
  cursor: Cursor | null;
  before: boolean;
}

export interface PrefixPage {
  rows: PrefixRow[];
  total: number;
  next: Cursor | null;
  previous: Cursor | null;
}

type Stored = Omit<PrefixRow, "trajectoryId" | "entry"> & { k: string | number | null };

const toRow = ({ k: _, ...row }: Stored): PrefixRow => ({
  ...row,
  trajectoryId: trajectoryOf(row.stepId),
  entry: indexOf(row.stepId),
});

/** A page of prefixes by keyset, with the exact total. */
export function listPrefixes(db: Db, request: PrefixRequest): PrefixPage {
  const { cursor, before, limit } = request;
  const where = prefixWhere(request.filters);
  const total =
    one<{ n: number }>(db, `select count(*) as n from ${PREFIX_FROM} where ${where.sql}`, ...where.values)?.n ?? 0;
  const dir = before ? (request.direction === "asc" ? "desc" : "asc") : request.direction;
  const past = dir === "asc" ? ">" : "<";
  const k = SORTS[request.sort];
  let keyset = "1";
  const values: (string | number | null)[] = [];
  if (cursor && cursor.value === null) {
    keyset = before ? `(k is not null or id ${past} ?)` : `(k is null and id ${past} ?)`;
    values.push(cursor.id);
  } else if (cursor) {
    keyset = `((k, id) ${past} (?, ?)${before ? "" : " or k is null"})`;
    values.push(cursor.value, cursor.id);
  }
  const found = all<Stored>(
    db,
    `select * from (select ${COLUMNS}, ${k} as k from ${PREFIX_FROM} where ${where.sql})
     where ${keyset} order by k is null ${before ? "desc" : "asc"}, k ${dir}, id ${dir} limit ?`,
    ...where.values,
    ...values,
    limit + 1,
  );
  const more = found.length > limit;
  const page = found.slice(0, limit);
  if (before) page.reverse();
  const at = (row: Stored | undefined): Cursor | null => (row ? { value: row.k, id: row.id } : null);
  return {
    rows: page.map(toRow),
    total,
    next: (before ? cursor !== null : more) ? at(page.at(-1)) : null,
    previous: (before ? more : cursor !== null) ? at(page[0]) : null,
  };
}

/** One prefix as a row of the list; undefined when there is none. */
export function prefixRow(db: Db, id: number): PrefixRow | undefined {
  const row = one<Stored>(db, `select ${COLUMNS}, null as k from ${PREFIX_FROM} where p.id = ?`, id);
  return row && toRow(row);
}

/** Ids of all prefixes that match, in the order of their steps. */
export function prefixIds(db: Db, filters: PrefixFilters): number[] {
  const where = prefixWhere(filters);
  return all<{ id: number }>(
    db,
    `select p.id from ${PREFIX_FROM} where ${where.sql} order by p.step_id, p.id`,
    ...where.values,
  ).map((r) => r.id);
}

export interface PrefixFacet {
  value: string;
  label: string;
  count: number;
}

export interface PrefixFacets {
  total: number;
  misbehaviors: PrefixFacet[];
  statuses: PrefixFacet[];
  causes: PrefixFacet[];
  splits: PrefixFacet[];
  environments: PrefixFacet[];
  draws: PrefixFacet[];
  /** good | bad | unsettled */
  reviews: PrefixFacet[];
}

/** Values the columns of the list have, with how many of all prefixes have each. */
export function prefixFacets(db: Db): PrefixFacets {
  const by = (value: string, label = value) =>
    all<PrefixFacet>(
      db,
      `select ifnull(${value}, '') as value, ifnull(${label}, '') as label, count(*) as count from ${PREFIX_FROM} group by 1 order by 3 desc, 2`,
    );
  return {
    total: one<{ n: number }>(db, "select count(*) as n from prefix")?.n ?? 0,
    misbehaviors: by("e.slug", "e.name"),
    statuses: by("p.status"),
    causes: by("p.cause").filter((f) => f.value !== ""),
    splits: by("p.split"),
    environments: by("v.name"),
    draws: by("p.draw_id").map((f) => ({
      ...f,
      value: f.value === "" ? "0" : String(f.value),
      label: f.value === "" ? "on demand" : `draw ${f.value}`,
    })),
    reviews: by(`ifnull(${PREFIX_REVIEW}, 'unsettled')`),
  };
}

/** The prefix that ends before a step: where a step links to. */
export interface PrefixOfStep {
  id: number;
  status: string;
}

const newestByStep = (rows: ({ stepId: number } & PrefixOfStep)[]): Map<number, PrefixOfStep> =>
  new Map(rows.map(({ stepId, ...prefix }) => [stepId, prefix]));

/** Prefixes by the entries of a trajectory that they end before; of several the newest. */
export function prefixesOfTrajectory(db: Db, trajectoryId: number): Map<number, PrefixOfStep> {
  const first = trajectoryId * SPAN;
  const found = newestByStep(
    all(
      db,
      "select id, status, step_id as stepId from prefix where step_id between ? and ? order by id",
      first,
      first + SPAN - 1,
    ),
  );
  return new Map([...found].map(([stepId, prefix]) => [indexOf(stepId), prefix]));
}

/** Prefixes by step id; of several the newest. */
export const prefixesOfSteps = (db: Db, stepIds: number[]): Map<number, PrefixOfStep> =>
  newestByStep(
    all(
      db,
      "select id, status, step_id as stepId from prefix where step_id in (select value from json_each(?)) order by id",
      JSON.stringify(stepIds),
    ),
  );
