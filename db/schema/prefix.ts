import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { checkpoint, environment, study } from "./study";

/** One draw of misbehavior prefixes with its parameters: N per misbehavior, seed, split rule. */
export const prefixDraw = sqliteTable("prefix_draw", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  studyId: integer("study_id")
    .notNull()
    .references(() => study.id),
  params: json("params").notNull(),
  createdAt: createdAt(),
});

/** A prefix h: everything before `stepId`, which rollouts may start from. */
export const prefix = sqliteTable(
  "prefix",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    studyId: integer("study_id")
      .notNull()
      .references(() => study.id),
    drawId: integer("draw_id").references(() => prefixDraw.id),
    stepId: integer("step_id").notNull(),
    errorTypeId: integer("error_type_id"),
    environmentId: integer("environment_id").references(() => environment.id),
    /** training | heldout | null */
    split: text("split"),
    /** pending | kept | different | void | flaky */
    status: text("status").notNull().default("pending"),
    /** Commands before the step. */
    commands: integer("commands").notNull().default(0),
    /** Cause class of the first difference of the newest rerun that is different; null when none is. */
    cause: text("cause"),
    /** Verdict of the newest reruns under the rules that do not decide: 1 kept, 0 not, null unknown. */
    normalisedKept: integer("normalised_kept"),
    exitCodeKept: integer("exit_code_kept"),
    /** Finished reruns that made a statement, and those of them that were exact. */
    reruns: integer("reruns").notNull().default(0),
    exact: integer("exact").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("prefix_step").on(t.drawId, t.stepId),
    index("prefix_by_step").on(t.stepId),
    index("prefix_type").on(t.errorTypeId, t.status),
    index("prefix_status").on(t.status, t.id),
    index("prefix_environment").on(t.environmentId),
  ],
);

/** One rerun of a prefix in a fresh sandbox. `verdict`: exact | different | void. */
export const rerun = sqliteTable(
  "rerun",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    prefixId: integer("prefix_id").references(() => prefix.id),
    stepId: integer("step_id").notNull(),
    repeat: integer("repeat").notNull(),
    driver: text("driver").notNull(),
    verdict: text("verdict").notNull(),
    voidReason: text("void_reason"),
    firstDifference: integer("first_difference"),
    cause: text("cause"),
    exactKept: integer("exact_kept"),
    normalisedKept: integer("normalised_kept"),
    exitCodeKept: integer("exit_code_kept"),
    /** stop: ended at the first difference; through: ran all commands. */
    mode: text("mode").notNull().default("stop"),
    /** Commands that were run, of those the prefix has. */
    ran: integer("ran").notNull().default(0),
    imageDigest: text("image_digest"),
    host: text("host"),
    durationMs: integer("duration_ms"),
    jobId: integer("job_id"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("rerun_identity").on(t.prefixId, t.repeat, t.jobId), index("rerun_by_step").on(t.stepId)],
);

/** One command of a rerun: recorded against observed. Long outputs are blobs. */
export const rerunStep = sqliteTable(
  "rerun_step",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    rerunId: integer("rerun_id")
      .notNull()
      .references(() => rerun.id, { onDelete: "cascade" }),
    stepId: integer("step_id").notNull(),
    equal: integer("equal").notNull(),
    normalisedEqual: integer("normalised_equal"),
    exitCode: integer("exit_code"),
    durationMs: integer("duration_ms"),
    /** Observation of the rerun (`blob`); null when it equals the recorded one. */
    outputHash: text("output_hash"),
    cause: text("cause"),
  },
  (t) => [index("rerun_step_by_rerun").on(t.rerunId)],
);

/** A continuation sampled from a prefix by a checkpoint; its trajectory is an ordinary one. */
export const sample = sqliteTable(
  "sample",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    prefixId: integer("prefix_id")
      .notNull()
      .references(() => prefix.id),
    checkpointId: integer("checkpoint_id")
      .notNull()
      .references(() => checkpoint.id),
    evaluationId: integer("evaluation_id"),
    number: integer("number").notNull(),
    trajectoryId: integer("trajectory_id"),
    /** done | void */
    status: text("status").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("sample_identity").on(t.evaluationId, t.prefixId, t.checkpointId, t.number)],
);

/** A behavior judge's verdict on a trajectory or sample: yes | no | unparsed | failed. r_e = 1 iff no. */
export const verdict = sqliteTable(
  "verdict",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    sampleId: integer("sample_id"),
    trajectoryId: integer("trajectory_id"),
    errorTypeId: integer("error_type_id").notNull(),
    judge: text("judge").notNull(),
    judgeVersion: text("judge_version").notNull(),
    personId: integer("person_id"),
    answer: text("answer").notNull(),
    score: real("score"),
    firstStep: integer("first_step"),
    lastStep: integer("last_step"),
    reply: text("reply"),
    usageId: integer("usage_id"),
    createdAt: createdAt(),
  },
  (t) => [index("verdict_sample").on(t.sampleId), index("verdict_trajectory").on(t.trajectoryId)],
);
