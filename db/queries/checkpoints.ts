import "server-only";
import type { Db } from "@/db/client";
import { scopesOf } from "@/db/schema";
import type { Cursor } from "./cursor";
import { all, marks, one, type Value } from "./prepared";
import { taxonomyInForce } from "./taxonomies";
import { TALLIES_BY_CHECKPOINT, TALLY_COLUMNS, type Tally, withUnaided } from "./unaided";

/** What the list can be sorted by; rows without the value (no known outcome, no steps) come last. */
export const CHECKPOINT_SORTS = ["newest", "name", "trajectories", "passed", "errors"] as const;
export type CheckpointSort = (typeof CHECKPOINT_SORTS)[number];

export interface CheckpointRequest {
  /** Part of the name. */
  q: string;
  /** imported | embedded | endpoint; none: all. */
  kinds: string[];
  sort: CheckpointSort;
  direction: "asc" | "desc";
  limit: number;
  cursor: Cursor | null;
  before: boolean;
}

/** A checkpoint with its counts over the index. */
export interface CheckpointRow extends Tally {
  id: number;
  name: string;
  kind: string;
  parentId: number | null;
  parent: string | null;
  trainingRunId: number | null;
  trainingStep: number | null;
  /** JSON; "{}" when it has none. */
  card: string;
  createdAt: number;
  /** Of its whole rollouts that nobody helped: what it is compared by. */
  unaided: Tally;
}

export interface CheckpointPage {
  rows: CheckpointRow[];
  total: number;
  next: Cursor | null;
  previous: Cursor | null;
}

const ROW = `c.id, c.name, c.kind, c.parent_id as parentId, p.name as parent, c.training_run_id as trainingRunId,
  c.training_step as trainingStep, c.card, c.created_at as createdAt, ${TALLY_COLUMNS}
  from checkpoint c left join k on k.checkpoint_id = c.id left join checkpoint p on p.id = c.parent_id`;

/** Sort keys; `last` stands for a value that is not known. Rates are of unaided rollouts. */
const KEYS: Record<CheckpointSort, (last: number) => string> = {
  newest: () => "c.id",
  name: () => "c.name",
  trajectories: () => "ifnull(k.trajectories, 0)",
  passed: (last) => `ifnull(1.0 * k.unaided_passed / nullif(k.unaided_trajectories - k.unaided_unknown, 0), ${last})`,
  errors: (last) => `ifnull(1.0 * k.unaided_errorSteps / nullif(k.unaided_steps, 0), ${last})`,
};

function whereOf({ q, kinds }: CheckpointRequest): { sql: string; values: Value[] } {
  const parts = ["1"];
  const values: Value[] = [];
  if (q !== "") {
    parts.push("instr(lower(c.name), lower(?))");
    values.push(q);
  }
  if (kinds.length > 0) {
    parts.push(`c.kind in (${marks(kinds)})`);
    values.push(...kinds);
  }
  return { sql: parts.join(" and "), values };
}

/** A page of checkpoints, by keyset. */
export function listCheckpoints(db: Db, request: CheckpointRequest): CheckpointPage {
  const where = whereOf(request);
  const { cursor, before } = request;
  const ascending = (request.direction === "asc") !== before;
  const dir = ascending ? "asc" : "desc";
  const key = KEYS[request.sort](request.direction === "asc" ? 2 : -1);
  const places = all<{ id: number; k: string | number }>(
    db,
    `with k as materialized (${TALLIES_BY_CHECKPOINT}),
       m as materialized (select c.id as id, ${key} as k from checkpoint c left join k on k.checkpoint_id = c.id where ${where.sql})
     select id, k from m where ${cursor ? `(k, id) ${ascending ? ">" : "<"} (?, ?)` : "1"} order by k ${dir}, id ${dir} limit ?`,
    ...where.values,
    ...(cursor ? [cursor.value, cursor.id] : []),
    request.limit + 1,
  );
  const total =
    one<{ n: number }>(db, `select count(*) as n from checkpoint c where ${where.sql}`, ...where.values)?.n ?? 0;
  const more = places.length > request.limit;
  const shown = places.slice(0, request.limit);
  if (before) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const at = (p: { id: number; k: string | number } | undefined): Cursor | null =>
    p ? { value: p.k, id: p.id } : null;
  const ids = shown.map((place) => place.id);
  const rows = all<CheckpointRow>(
    db,
    `with k as materialized (${TALLIES_BY_CHECKPOINT}) select ${ROW} where c.id in (${marks(ids)})`,
    ...ids,
  ).map(withUnaided);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    total,
    next: (before ? cursor !== null : more) ? at(last) : null,
    previous: (before ? more : cursor !== null) ? at(first) : null,
  };
}

/** Kinds with their numbers, and the trajectories that name no model. */
export function checkpointFacets(db: Db): { total: number; kinds: { value: string; n: number }[]; unnamed: number } {
  const kinds = all<{ value: string; n: number }>(
    db,
    "select kind as value, count(*) as n from checkpoint group by 1 order by 2 desc, 1",
  );
  const unnamed = one<{ n: number }>(
    db,
    "select ifnull(sum(trajectories), 0) as n from corpus_count where checkpoint_id = 0",
  );
  return { total: kinds.reduce((sum, kind) => sum + kind.n, 0), kinds, unnamed: unnamed?.n ?? 0 };
}

/** One checkpoint, or undefined. */
export function checkpointRow(db: Db, id: number): CheckpointRow | undefined {
  const row = one<CheckpointRow>(
    db,
    `with k as materialized (${TALLIES_BY_CHECKPOINT}) select ${ROW} where c.id = ?`,
    id,
  );
  return row && withUnaided(row);
}

/** Checkpoints that came out of this one by training, newest first. */
export const checkpointChildren = (db: Db, id: number): { id: number; name: string; trainingStep: number | null }[] =>
  all(db, "select id, name, training_step as trainingStep from checkpoint where parent_id = ? order by id desc", id);

/** How often a misbehavior in force occurs in a checkpoint's trajectories. */
export interface CheckpointMisbehavior {
  slug: string;
  name: string;
  errorSteps: number;
  trajectories: number;
}

/** Every misbehavior in force with its counts for a checkpoint, zeros included, in the taxonomy's order. */
export const checkpointMisbehaviors = (db: Db, id: number): CheckpointMisbehavior[] =>
  all<CheckpointMisbehavior>(
    db,
    `select e.slug, e.name, ifnull(sum(k.error_steps), 0) as errorSteps, ifnull(sum(k.trajectories), 0) as trajectories
     from error_type e left join type_count k on k.scope = e.id and k.checkpoint_id = ?
     where e.named = 1 and e.taxonomy_id = ? group by e.id order by e.rank, e.id`,
    id,
    taxonomyInForce(db),
  );

/** Active error steps of a checkpoint without any misbehavior in force. */
export const checkpointUnlabelled = (db: Db, id: number): number =>
  one<{ n: number }>(
    db,
    "select ifnull(sum(error_steps), 0) as n from type_count where scope = ? and checkpoint_id = ?",
    scopesOf(taxonomyInForce(db)).unlabelled,
    id,
  )?.n ?? 0;

/** Names of the checkpoints of a kind, newest first. */
export const checkpointNamesOfKind = (db: Db, kind: string): string[] =>
  all<{ name: string }>(db, "select name from checkpoint where kind = ? order by id desc", kind).map((row) => row.name);
