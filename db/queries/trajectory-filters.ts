import "server-only";
import type { Db } from "@/db/client";
import { scopesOf } from "@/db/schema";
import { marks, one, type Value } from "./prepared";
import { taxonomyInForce } from "./taxonomies";
import { UNAIDED } from "./unaided";

/** Both ends included; null is open. A row that does not state the value is outside of every range. */
export interface Range {
  min: number | null;
  max: number | null;
}

/** Words of the misbehavior filter that are no slug: any error step, one with a misbehavior in force, one without, no error step. */
export const MISBEHAVIOR_WORDS = ["any", "named", "unlabelled", "none"] as const;

const REWARD_SQL = {
  paid: "r.reward > 0",
  unpaid: "r.reward = 0",
  lucky: "r.outcome_reward >= 1 and r.behavior_reward = 0",
} as const;

/** Rollouts of a training by reward: paid, not paid, and solved although the misbehavior came back. */
export const REWARDED = ["paid", "unpaid", "lucky"] as const;

/** What a list of trajectories is narrowed to. "" in `models` and `tasks` stands for "not stated". */
export interface TrajectoryFilters {
  q: string;
  formats: string[];
  models: string[];
  tasks: string[];
  outcomes: string[];
  misbehavior: string | null;
  steps: Range;
  tokens: Range;
  cost: Range;
  /** UTC epoch ms of the start. */
  started: Range;
  exception: boolean | null;
  /** Only whole rollouts that nobody helped (see unaided.ts), or only the others. */
  unaided: boolean | null;
  /** Only what this import (its job) added or read anew. */
  importedBy: number | null;
  /** Only rollouts of this profile. */
  profile: number | null;
  /** Only rollouts of this training, and with it of this step, of this group (its row), of a kind of reward. */
  training: number | null;
  trainingStep: number | null;
  rolloutGroup: number | null;
  rewarded: (typeof REWARDED)[number] | null;
  /** Only samples of this measurement of misbehavior rates, and with it of this checkpoint, of this error type. */
  measurement: number | null;
  measuredCheckpoint: number | null;
  measuredType: number | null;
  /** What judges said of the sample, all of them: "yes@rules 1.1.0". */
  verdict: string[];
}

export const OPEN_RANGE: Range = { min: null, max: null };

export const NO_FILTERS: TrajectoryFilters = {
  q: "",
  formats: [],
  models: [],
  tasks: [],
  outcomes: [],
  misbehavior: null,
  steps: OPEN_RANGE,
  tokens: OPEN_RANGE,
  cost: OPEN_RANGE,
  started: OPEN_RANGE,
  exception: null,
  unaided: null,
  importedBy: null,
  profile: null,
  training: null,
  trainingStep: null,
  rolloutGroup: null,
  rewarded: null,
  measurement: null,
  measuredCheckpoint: null,
  measuredType: null,
  verdict: [],
};

/** A condition over `trajectory t` with its values, and the table to drive from. */
export interface Where {
  from: string;
  sql: string;
  values: Value[];
  /** Condition over `corpus_count c` that means the same, when there is one. */
  counted: { sql: string; values: Value[] } | null;
}

/** Trajectories of fewer rows than this are found by the index over tasks; more by scanning. */
const INDEX_LIMIT = 10_000;

interface Condition {
  sql: string[];
  values: Value[];
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`);

function oneOf(into: Condition, column: string, wanted: string[]): void {
  if (wanted.length === 0) return;
  const stated = wanted.filter((v) => v !== "");
  const parts: string[] = [];
  if (stated.length > 0) {
    parts.push(`${column} in (${marks(stated)})`);
    into.values.push(...stated);
  }
  if (stated.length < wanted.length) parts.push(`${column} is null`);
  into.sql.push(`(${parts.join(" or ")})`);
}

function within(into: Condition, column: string, range: Range): void {
  if (range.min !== null) {
    into.sql.push(`+${column} >= ?`);
    into.values.push(range.min);
  }
  if (range.max !== null) {
    into.sql.push(`+${column} <= ?`);
    into.values.push(range.max);
  }
}

/** The same category filters over the counters, where 0 stands for "not stated". */
function countedOver(filters: TrajectoryFilters): Condition {
  const out: Condition = { sql: ["c.trajectories > 0"], values: [] };
  const named = (column: string, table: string, wanted: string[]) => {
    if (wanted.length === 0) return;
    const stated = wanted.filter((v) => v !== "");
    const none = stated.length < wanted.length ? ` or ${column} = 0` : "";
    out.sql.push(`(${column} in (select id from ${table} where name in (${marks(stated)}))${none})`);
    out.values.push(...stated);
  };
  named("c.environment_id", "environment", filters.tasks);
  named("c.checkpoint_id", "checkpoint", filters.models);
  oneOf(out, "c.format", filters.formats);
  oneOf(out, "c.outcome", filters.outcomes);
  return out;
}

/** Sum of a counter over the category filters. */
function counted(db: Db, condition: Condition): number {
  const row = one<{ n: number | null }>(
    db,
    `select sum(c.trajectories) as n from corpus_count c where ${condition.sql.join(" and ")}`,
    ...condition.values,
  );
  return row?.n ?? 0;
}

/** The error type under a slug: of this version (default: the one in force), else of a data set's own categories. */
export function errorTypeIdOf(db: Db, slug: string, taxonomyId = taxonomyInForce(db)): number | null {
  const row = one<{ id: number }>(
    db,
    `select e.id from error_type e join taxonomy x on x.id = e.taxonomy_id
     where e.slug = ? and (x.id = ? or x.origin = 'dataset') order by x.origin = 'dataset', x.version desc, e.id desc limit 1`,
    slug,
    taxonomyId,
  );
  return row?.id ?? null;
}

/** A misbehavior filter that names a version: "slug@12" is the type of version 12, "named@12" any of its misbehaviors. */
export const underTaxonomy = (misbehavior: string, taxonomyId: number | null): string =>
  taxonomyId === null ? misbehavior : `${misbehavior}@${taxonomyId}`;

/** Scope of a misbehavior filter; an unknown one matches no row: scope ids are whole numbers. */
function scopeOf(db: Db, misbehavior: string): number {
  const [, word, id] = /^(.*?)(?:@(\d{1,15}))?$/s.exec(misbehavior) ?? [];
  const taxonomyId = id === undefined ? taxonomyInForce(db) : Number(id);
  if (word === "unlabelled" || word === "named") return scopesOf(taxonomyId)[word];
  return errorTypeIdOf(db, word ?? "", taxonomyId) ?? 0.5;
}

/** Narrows to rollouts of a training; true when it does not. */
function ofTraining(out: Condition, { training, trainingStep, rolloutGroup, rewarded }: TrajectoryFilters): boolean {
  if (training === null) return true;
  const parts = ["g.training_run_id = ?"];
  out.values.push(training);
  for (const [column, value] of [
    ["g.step", trainingStep],
    ["g.id", rolloutGroup],
  ] as const) {
    if (value === null) continue;
    parts.push(`${column} = ?`);
    out.values.push(value);
  }
  if (rewarded !== null) parts.push(REWARD_SQL[rewarded]);
  out.sql.push(
    `t.id in (select r.trajectory_id from rollout_group g join rollout r on r.group_id = g.id where ${parts.join(" and ")})`,
  );
  return false;
}

/** Narrows to samples of a measurement; true when it does not. */
function ofMeasurement(
  out: Condition,
  { measurement, measuredCheckpoint, measuredType, verdict }: TrajectoryFilters,
): boolean {
  if (measurement === null) return true;
  const parts = ["s.evaluation_id = ?"];
  out.values.push(measurement);
  for (const [column, value] of [
    ["s.checkpoint_id", measuredCheckpoint],
    ["s.error_type_id", measuredType],
  ] as const) {
    if (value === null) continue;
    parts.push(`${column} = ?`);
    out.values.push(value);
  }
  for (const said of verdict) {
    const at = said.indexOf("@");
    parts.push("exists (select 1 from behavior_verdict v where v.sample_id = s.id and v.answer = ? and v.judge = ?)");
    out.values.push(said.slice(0, Math.max(0, at)), said.slice(at + 1));
  }
  out.sql.push(`t.id in (select s.trajectory_id from behavior_sample s where ${parts.join(" and ")})`);
  return false;
}

/**
 * Builds the condition. Unary plus keeps the planner from walking an index row by row, which costs more than one scan
 * of the slim table as soon as many rows match; where few match, the index over tasks or the type table drives.
 */
export function whereOf(db: Db, filters: TrajectoryFilters): Where {
  const out: Condition = { sql: ["t.superseded_by is null"], values: [] };
  const lead: Condition = { sql: [], values: [] };
  let from = "trajectory t";
  let plain = true;

  const { misbehavior } = filters;
  if (misbehavior === "any") out.sql.push("+t.error_steps > 0");
  else if (misbehavior === "none") out.sql.push("+t.error_steps = 0");
  else if (misbehavior !== null) {
    from = "trajectory_type x cross join trajectory t on t.id = x.trajectory_id";
    lead.sql.push("x.scope = ?");
    lead.values.push(scopeOf(db, misbehavior));
  }
  if (misbehavior !== null) plain = false;

  const { profile } = filters;
  if (profile !== null) {
    out.sql.push("t.id in (select trajectory_id from profile_rollout where profile_id = ?)");
    out.values.push(profile);
    plain = false;
  }
  plain = ofTraining(out, filters) && plain;
  plain = ofMeasurement(out, filters) && plain;

  const categories = countedOver(filters);
  const byTask = filters.tasks.length > 0 && from === "trajectory t" && counted(db, categories) < INDEX_LIMIT;
  oneOf(out, byTask ? "t.task" : "+t.task", filters.tasks);
  oneOf(out, "+t.model", filters.models);
  oneOf(out, "+t.format", filters.formats);
  oneOf(out, "+t.outcome", filters.outcomes);

  const before = out.sql.length;
  within(out, "t.steps", filters.steps);
  within(out, "t.tokens", filters.tokens);
  within(out, "t.cost_usd", filters.cost);
  within(out, "t.started_at", filters.started);
  if (filters.importedBy !== null) {
    out.sql.push("+t.job_id = ?");
    out.values.push(filters.importedBy);
  }
  if (filters.exception !== null) out.sql.push(`t.exception_type is ${filters.exception ? "not " : ""}null`);
  if (filters.unaided !== null) out.sql.push(`${filters.unaided ? "" : "not "}${UNAIDED}`);
  if (filters.q !== "") {
    const pattern = `%${escapeLike(filters.q)}%`;
    out.sql.push("(t.name like ? escape '\\' or t.task like ? escape '\\' or t.model like ? escape '\\')");
    out.values.push(pattern, pattern, pattern);
  }
  if (out.sql.length > before) plain = false;

  return {
    from,
    sql: [...lead.sql, ...out.sql].join(" and "),
    values: [...lead.values, ...out.values],
    counted: plain ? { sql: categories.sql.join(" and "), values: categories.values } : null,
  };
}
