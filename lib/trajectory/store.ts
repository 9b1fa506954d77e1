import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { type Prepared, STEP_COLUMNS } from "./prepare";
import { CLEAR_TEXTS } from "./textIndex";
import { wholeOf } from "./value";

/** Where a stored trajectory belongs. */
export interface StoreContext {
  studyId: number;
  jobId: number | null;
  /** Identity of the source: unit path, `#`, key inside it. */
  sourceKey: string;
  /** Its environment where that is known; without, the one of its task and data set, made if there is none. */
  environmentId?: number;
}

export type StoreResult =
  | { status: "imported"; id: number }
  /** The same source grew: same id, new entries behind the old ones. */
  | { status: "updated"; id: number }
  /** Another reading of the source: a new trajectory, the old one is superseded. */
  | { status: "replaced"; id: number; replaces: number }
  /** The same content is already there. */
  | { status: "present"; id: number };

type Existing = {
  id: number;
  source_key: string;
  job_id: number | null;
  entries: number;
  superseded_by: number | null;
};

/** The step span of ids is the limit of one trajectory. */
export class TooManyStepsError extends Error {
  constructor(entries: number) {
    super(`a trajectory may have ${SPAN} entries; this one has ${entries}. Split it into parts.`);
    this.name = "TooManyStepsError";
  }
}

function statements(db: Db) {
  const s = db.$client;
  return {
    byHash: s.prepare<[string], Existing>(
      "select id, source_key, job_id, entries, superseded_by from trajectory where content_hash = ?",
    ),
    bySource: s.prepare<[string], Existing>(
      "select id, source_key, job_id, entries, superseded_by from trajectory where source_key = ? and superseded_by is null",
    ),
    findEnvironment: s.prepare<[string, string], { id: number }>(
      "select id from environment where name = ? and dataset = ?",
    ),
    addEnvironment: s.prepare("insert into environment (name, dataset) values (?, ?)"),
    findCheckpoint: s.prepare<[string], { id: number }>("select id from checkpoint where name = ?"),
    addCheckpoint: s.prepare("insert into checkpoint (name) values (?)"),
    insert: s.prepare(
      `insert into trajectory (${TRAJECTORY_COLUMNS.join(", ")}) values (${TRAJECTORY_COLUMNS.map((c) => `@${c}`).join(", ")})`,
    ),
    update: s.prepare(
      `update trajectory set ${TRAJECTORY_COLUMNS.map((c) => `${c} = @${c}`).join(", ")} where id = @id`,
    ),
    detail: s.prepare("insert or replace into trajectory_detail (trajectory_id, data) values (?, ?)"),
    step: s.prepare(
      `insert into step (id, ${STEP_COLUMNS.join(", ")}) values (?, ${STEP_COLUMNS.map(() => "?").join(", ")})`,
    ),
    chunk: s.prepare("insert into chunk (id, first, count, data) values (?, ?, ?, ?)"),
    pending: s.prepare("insert or ignore into index_pending (trajectory_id) values (?)"),
    clearSteps: s.prepare("delete from step where id between ? and ?"),
    clearChunks: s.prepare("delete from chunk where id between ? and ?"),
    clearTexts: s.prepare(CLEAR_TEXTS),
    revive: s.prepare("update trajectory set superseded_by = null, source_key = ?, job_id = ? where id = ?"),
    supersede: s.prepare("update trajectory set superseded_by = ? where id = ?"),
    clearTypes: s.prepare("delete from trajectory_type where trajectory_id = ?"),
    parent: s.prepare("update trajectory set parent_id = ?, parent_step = ? where id = ?"),
  };
}

const TRAJECTORY_COLUMNS = [
  "study_id",
  "environment_id",
  "checkpoint_id",
  "task",
  "model",
  "name",
  "agent",
  "format",
  "format_version",
  "attempt",
  "outcome",
  "reward",
  "exit_status",
  "exception_type",
  "steps",
  "entries",
  "tokens",
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "cost_usd",
  "duration_ms",
  "started_at",
  "warnings",
  "content_hash",
  "source_key",
  "job_id",
] as const;

const cache = new WeakMap<Db, ReturnType<typeof statements>>();
function prepared(db: Db) {
  let s = cache.get(db);
  if (!s) {
    s = statements(db);
    cache.set(db, s);
  }
  return s;
}

const sum = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0);
function columns(db: Db, p: Prepared, context: StoreContext) {
  const s = prepared(db);
  const t = p.head;
  const environmentId =
    context.environmentId !== undefined
      ? context.environmentId
      : t.task === null
        ? null
        : (s.findEnvironment.get(t.task, t.dataset ?? "")?.id ??
          Number(s.addEnvironment.run(t.task, t.dataset ?? "").lastInsertRowid));
  const checkpointId =
    t.model === null
      ? null
      : (s.findCheckpoint.get(t.model)?.id ?? Number(s.addCheckpoint.run(t.model).lastInsertRowid));
  return {
    study_id: context.studyId,
    environment_id: environmentId,
    checkpoint_id: checkpointId,
    task: t.task,
    model: t.model,
    name: t.name,
    agent: t.agent,
    format: t.format,
    format_version: t.formatVersion,
    attempt: wholeOf(t.attempt),
    outcome: t.outcome,
    reward: t.reward,
    exit_status: t.exitStatus,
    exception_type: t.exception?.type ?? null,
    steps: p.steps,
    entries: t.entries,
    tokens: wholeOf(sum(t.usage.promptTokens, t.usage.completionTokens)),
    prompt_tokens: wholeOf(t.usage.promptTokens),
    completion_tokens: wholeOf(t.usage.completionTokens),
    cached_tokens: wholeOf(t.usage.cachedTokens),
    cost_usd: t.usage.costUsd,
    duration_ms: wholeOf(t.durationMs),
    started_at: wholeOf(t.startedAt?.ms ?? null),
    warnings: t.warnings,
    content_hash: p.hash,
    source_key: context.sourceKey,
    job_id: context.jobId,
  };
}

function writeTexts(db: Db, id: number, p: Prepared): void {
  const s = prepared(db);
  const base = id * SPAN;
  s.detail.run(id, p.detail);
  p.rows.forEach((row, i) => {
    s.step.run(base + i, ...row);
  });
  p.chunks.forEach((c, i) => {
    s.chunk.run(base + i, c.first, c.count, c.data);
  });
  s.pending.run(id);
}

/** Entries of a stored trajectory are the first entries of `p`, by number and preview of each row. */
function grew(db: Db, existing: Existing, p: Prepared): boolean {
  if (p.rows.length < existing.entries) return false;
  const kind = STEP_COLUMNS.indexOf("kind");
  const text = STEP_COLUMNS.indexOf("preview");
  const old = db.$client
    .prepare<[number, number], { kind: string; preview: string }>(
      "select kind, preview from step where id between ? and ? order by id",
    )
    .all(existing.id * SPAN, existing.id * SPAN + SPAN - 1);
  return old.every((row, i) => row.kind === p.rows[i]?.[kind] && row.preview === p.rows[i]?.[text]);
}

/**
 * Stores one prepared trajectory. Call inside a transaction. Idempotent by content hash; a changed source either grows
 * in place (labels stay on their steps) or supersedes the earlier reading.
 */
export function storeTrajectory(db: Db, p: Prepared, context: StoreContext): StoreResult {
  if (p.rows.length > SPAN) throw new TooManyStepsError(p.rows.length);
  const s = prepared(db);
  const same = s.byHash.get(p.hash);
  if (same && same.superseded_by !== null) {
    // Content that was superseded came back: it is the present reading again, with the labels it had.
    const present = s.bySource.get(context.sourceKey);
    s.revive.run(context.sourceKey, context.jobId, same.id);
    if (!present) return { status: "updated", id: same.id };
    s.supersede.run(same.id, present.id);
    return { status: "replaced", id: same.id, replaces: present.id };
  }
  if (same) {
    const own = same.source_key === context.sourceKey && same.job_id !== null && same.job_id === context.jobId;
    return { status: own ? "imported" : "present", id: same.id };
  }
  const values = columns(db, p, context);
  const earlier = s.bySource.get(context.sourceKey);
  if (earlier && grew(db, earlier, p)) {
    const [from, to] = [earlier.id * SPAN, earlier.id * SPAN + SPAN - 1];
    s.clearSteps.run(from, to);
    s.clearChunks.run(from, to);
    s.clearTexts.run(from, to);
    s.update.run({ ...values, id: earlier.id });
    writeTexts(db, earlier.id, p);
    return { status: "updated", id: earlier.id };
  }
  const id = Number(s.insert.run(values).lastInsertRowid);
  writeTexts(db, id, p);
  if (!earlier) return { status: "imported", id };
  s.clearTypes.run(earlier.id);
  s.supersede.run(id, earlier.id);
  return { status: "replaced", id, replaces: earlier.id };
}

/** Ties a sub-trajectory to the stored trajectory with `parentSourceKey`. False when that one is not there. */
export function linkParent(db: Db, id: number, parentSourceKey: string, parentStep: number | null): boolean {
  const s = prepared(db);
  const parent = s.bySource.get(parentSourceKey);
  if (!parent) return false;
  s.parent.run(parent.id, parentStep, id);
  return true;
}
