import { blob, index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { checkpoint, environment, study } from "./study";

/**
 * One rollout. Slim on purpose: list pages scan and sort it; everything long is in `trajectory_detail` and `chunk`.
 * null means the file does not say. `task` and `model` repeat the names of environment and checkpoint for sorting.
 */
export const trajectory = sqliteTable(
  "trajectory",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    studyId: integer("study_id")
      .notNull()
      .references(() => study.id),
    environmentId: integer("environment_id").references(() => environment.id),
    checkpointId: integer("checkpoint_id").references(() => checkpoint.id),
    task: text("task"),
    model: text("model"),
    name: text("name"),
    agent: text("agent"),
    format: text("format").notNull(),
    formatVersion: text("format_version"),
    attempt: integer("attempt"),
    /** passed | partial | failed | unknown */
    outcome: text("outcome").notNull(),
    reward: real("reward"),
    exitStatus: text("exit_status"),
    exceptionType: text("exception_type"),
    /** Agent steps (numbered). */
    steps: integer("steps").notNull(),
    /** All entries: steps, system and user messages, copied context. */
    entries: integer("entries").notNull(),
    /** Active error steps, maintained with them. */
    errorSteps: integer("error_steps").notNull().default(0),
    /** Prompt + completion tokens. */
    tokens: integer("tokens"),
    promptTokens: integer("prompt_tokens"),
    completionTokens: integer("completion_tokens"),
    cachedTokens: integer("cached_tokens"),
    costUsd: real("cost_usd"),
    durationMs: integer("duration_ms"),
    /** UTC epoch ms of the start; null when unknown. */
    startedAt: integer("started_at"),
    warnings: integer("warnings").notNull().default(0),
    parentId: integer("parent_id"),
    parentStep: integer("parent_step"),
    /** A newer reading of the same source replaced this one. */
    supersededBy: integer("superseded_by"),
    contentHash: text("content_hash").notNull(),
    /** Where it came from: unit path and key inside it. */
    sourceKey: text("source_key").notNull(),
    jobId: integer("job_id"),
    /** Version of the rule set that scanned it last; null before the first scan. */
    rulesVersion: text("rules_version"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("trajectory_content").on(t.contentHash),
    index("trajectory_source").on(t.sourceKey),
    index("trajectory_parent").on(t.parentId),
    index("trajectory_environment").on(t.environmentId, t.checkpointId),
    index("trajectory_checkpoint").on(t.checkpointId),
    index("trajectory_task").on(t.task),
    index("trajectory_model").on(t.model),
    index("trajectory_started").on(t.startedAt),
    index("trajectory_steps").on(t.steps),
    index("trajectory_errors").on(t.errorSteps),
    index("trajectory_tokens").on(t.tokens),
    index("trajectory_cost").on(t.costUsd),
    index("trajectory_reward").on(t.reward),
    index("trajectory_duration").on(t.durationMs),
    index("trajectory_outcome").on(t.outcome),
    index("trajectory_format").on(t.format),
    index("trajectory_rules").on(t.rulesVersion),
  ],
);

/** Long parts of a trajectory, deflated JSON: { source, artifacts, warnings, rewards, exception, … }. See db/codec.ts. */
export const trajectoryDetail = sqliteTable("trajectory_detail", {
  trajectoryId: integer("trajectory_id")
    .primaryKey()
    .references(() => trajectory.id, { onDelete: "cascade" }),
  data: blob("data", { mode: "buffer" }).notNull(),
});

/**
 * One entry of a trajectory: id = trajectory_id * 2^20 + index. Rows of a trajectory are deleted by a trigger on
 * `trajectory` (range of ids), so no foreign key column is needed. Text lives in `chunk`.
 */
export const step = sqliteTable("step", {
  id: integer("id").primaryKey(),
  /** system | user | agent */
  kind: text("kind").notNull(),
  /** 1,2,3… over agent entries that are no copies; null for the rest. A property of the data, never of a view. */
  number: integer("number"),
  turn: integer("turn"),
  actor: text("actor"),
  note: text("note"),
  tool: text("tool"),
  /** First characters of the command, or of the message when there is no command. */
  preview: text("preview").notNull(),
  exitCode: integer("exit_code"),
  durationMs: integer("duration_ms"),
  promptTokens: integer("prompt_tokens"),
  completionTokens: integer("completion_tokens"),
  costUsd: real("cost_usd"),
  startedAt: integer("started_at"),
  /** Characters of terminal output. */
  outputChars: integer("output_chars").notNull(),
  /** Bit set of STEP_FLAGS. */
  flags: integer("flags").notNull().default(0),
  /** `chunk.seq` that holds its text. */
  chunk: integer("chunk").notNull(),
});

/** Bits of `step.flags`. */
export const STEP_FLAGS = { copied: 1, timedOut: 2, toolError: 4, parallel: 8, elided: 16 } as const;

/** Texts of consecutive steps, packed together: id = trajectory_id * 2^20 + seq. See db/codec.ts for the shape. */
export const chunk = sqliteTable("chunk", {
  id: integer("id").primaryKey(),
  /** Index of its first step. */
  first: integer("first").notNull(),
  count: integer("count").notNull(),
  data: blob("data", { mode: "buffer" }).notNull(),
});

/** Trajectories whose texts the full-text index has not seen yet; an index job empties it. */
export const indexPending = sqliteTable("index_pending", {
  trajectoryId: integer("trajectory_id")
    .primaryKey()
    .references(() => trajectory.id, { onDelete: "cascade" }),
});

/** One source file or archive member seen by an import, with what became of it. */
export const importFile = sqliteTable(
  "import_file",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    jobId: integer("job_id").notNull(),
    /** Unit key. */
    key: text("key").notNull(),
    path: text("path").notNull(),
    /** refused | skipped */
    status: text("status").notNull(),
    position: text("position"),
    reason: text("reason").notNull(),
    hint: text("hint"),
    createdAt: createdAt(),
  },
  (t) => [
    index("import_file_job").on(t.jobId, t.status, t.id),
    uniqueIndex("import_file_identity").on(t.jobId, t.key, t.reason),
  ],
);

/** A later piece of evidence or text attached to a step (branches recorded by a live fork point back here). */
export const correction = sqliteTable(
  "correction",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    stepId: integer("step_id").notNull(),
    /** teacher | person | recorded */
    source: text("source").notNull(),
    sourceName: text("source_name"),
    thinking: text("thinking"),
    command: text("command").notNull(),
    attempt: integer("attempt").notNull(),
    accepted: integer("accepted").notNull(),
    reply: text("reply"),
    usageId: integer("usage_id"),
    details: json("details"),
    createdAt: createdAt(),
  },
  (t) => [index("correction_step").on(t.stepId)],
);
