import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { checkpoint, study } from "./study";

/** One training: recipe and settings, launcher, state. */
export const trainingRun = sqliteTable("training_run", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  studyId: integer("study_id")
    .notNull()
    .references(() => study.id),
  name: text("name").notNull(),
  /** mirl | outcome-prefix | outcome-env | outcome-random | pivotrl | rar+ */
  recipe: text("recipe").notNull(),
  settings: json("settings").notNull(),
  /** embedded | open-instruct | slurm */
  launcher: text("launcher").notNull(),
  baseCheckpointId: integer("base_checkpoint_id").references(() => checkpoint.id),
  status: text("status").notNull().default("queued"),
  seed: integer("seed").notNull().default(0),
  jobId: integer("job_id"),
  bestStep: integer("best_step"),
  createdAt: createdAt(),
});

/** Curves of a training: one row a step, metrics as JSON numbers (reward, r_o, r_e, kept-token share, entropy, …). */
export const trainingStep = sqliteTable(
  "training_step",
  {
    trainingRunId: integer("training_run_id")
      .notNull()
      .references(() => trainingRun.id, { onDelete: "cascade" }),
    step: integer("step").notNull(),
    metrics: json("metrics").notNull(),
    checkpointId: integer("checkpoint_id"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.trainingRunId, t.step] })],
);

/** A group of rollouts of one start. `dead`: null | all-fail | all-pass | vetoed | infrastructure. */
export const rolloutGroup = sqliteTable(
  "rollout_group",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    trainingRunId: integer("training_run_id")
      .notNull()
      .references(() => trainingRun.id, { onDelete: "cascade" }),
    step: integer("step").notNull(),
    /** 0,1,… over all groups drawn for the step, resampled ones included. */
    number: integer("number").notNull(),
    /** Round it was drawn in: 0, then 1,2,… in place of groups without spread. */
    draw: integer("draw").notNull().default(0),
    prefixId: integer("prefix_id"),
    environmentId: integer("environment_id"),
    dead: text("dead"),
    /** Rollouts that have a reward. */
    counted: integer("counted").notNull().default(0),
    meanReward: real("mean_reward"),
    /** How the files of another engine name it; null: a group of our own trainer. */
    source: text("source"),
  },
  (t) => [
    uniqueIndex("rollout_group_identity").on(t.trainingRunId, t.step, t.number),
    index("rollout_group_prefix").on(t.prefixId),
  ],
);

/** One rollout of a group; its trajectory is an ordinary one. Rewards null = void (infrastructure), never 0. */
export const rollout = sqliteTable(
  "rollout",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    groupId: integer("group_id")
      .notNull()
      .references(() => rolloutGroup.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    trajectoryId: integer("trajectory_id"),
    outcomeReward: real("outcome_reward"),
    behaviorReward: real("behavior_reward"),
    reward: real("reward"),
    advantage: real("advantage"),
    /** Of the behavior judge: yes | no | failed | unparsed | skipped (r_o was 0 and the settings say so); null: not asked. */
    verdict: text("verdict"),
    verdictReason: text("verdict_reason"),
    /** 1 to 10 of the rubric judge; null: not asked, or no answer. */
    rating: real("rating"),
    /** submitted | steps | context | format | action; null when void. */
    ended: text("ended"),
    /** Steps of the policy, without those of the prefix. */
    steps: integer("steps"),
    /** Tokens the policy sampled: what is trained on. */
    tokens: integer("tokens"),
    /** Of these, kept by the mask of the loss; null when its group was not trained on. */
    keptTokens: integer("kept_tokens"),
    /** Mean of -ln probability of its sampled tokens, under the policy that sampled them. */
    surprise: real("surprise"),
    durationMs: integer("duration_ms"),
    voidReason: text("void_reason"),
  },
  (t) => [uniqueIndex("rollout_identity").on(t.groupId, t.number), index("rollout_trajectory").on(t.trajectoryId)],
);

/**
 * How far a file of another engine's rollouts was read. Moved in the transaction that stores what was read, so that no
 * line is taken twice or left out.
 */
export const readBackFile = sqliteTable(
  "read_back_file",
  {
    trainingRunId: integer("training_run_id")
      .notNull()
      .references(() => trainingRun.id, { onDelete: "cascade" }),
    /** Relative to the folder that is read. */
    path: text("path").notNull(),
    /** Bytes up to the end of the last whole line that was read, and how many lines these were. */
    offset: integer("offset").notNull(),
    lines: integer("lines").notNull(),
  },
  (t) => [primaryKey({ columns: [t.trainingRunId, t.path] })],
);

/** A line of such a file that could not be used. */
export const readBackProblem = sqliteTable(
  "read_back_problem",
  {
    trainingRunId: integer("training_run_id")
      .notNull()
      .references(() => trainingRun.id, { onDelete: "cascade" }),
    path: text("path").notNull(),
    /** Counted from 1. */
    line: integer("line").notNull(),
    reason: text("reason").notNull(),
  },
  (t) => [primaryKey({ columns: [t.trainingRunId, t.path, t.line] })],
);

/** A measurement: benchmark scores or misbehavior rates of checkpoints under a protocol. */
export const evaluation = sqliteTable("evaluation", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  studyId: integer("study_id")
    .notNull()
    .references(() => study.id),
  /** score | misbehavior-rate | localizer | agreement */
  kind: text("kind").notNull(),
  name: text("name").notNull(),
  protocol: json("protocol").notNull(),
  jobId: integer("job_id"),
  createdAt: createdAt(),
});

/** One score: subject x environment x run. null value = void. */
export const score = sqliteTable(
  "score",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    evaluationId: integer("evaluation_id")
      .notNull()
      .references(() => evaluation.id, { onDelete: "cascade" }),
    checkpointId: integer("checkpoint_id").references(() => checkpoint.id),
    environmentId: integer("environment_id"),
    run: integer("run").notNull(),
    metric: text("metric").notNull(),
    value: real("value"),
    trajectoryId: integer("trajectory_id"),
    voidReason: text("void_reason"),
  },
  (t) => [index("score_evaluation").on(t.evaluationId, t.checkpointId, t.environmentId, t.run)],
);

/** One model call, retries included: what was asked, what came back, what it used, what it cost. */
export const usage = sqliteTable(
  "usage",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Name in the model settings. */
    model: text("model").notNull(),
    /** Name of the endpoint in the model settings. */
    endpoint: text("endpoint"),
    role: text("role").notNull(),
    promptVersion: text("prompt_version"),
    /** done | failed */
    status: text("status").notNull().default("done"),
    /** How the reply was read: parsed | repaired | unparsed; null: nobody read it. */
    reading: text("reading"),
    /** JSON string[]: what was mended when reading, or why it could not be read. */
    repairs: json("repairs").notNull().default("[]"),
    /** JSON { at, status, error, waitedMs }[]: tries before the last one. */
    tries: json("tries").notNull().default("[]"),
    error: text("error"),
    finish: text("finish"),
    /** Request (ChatRequest, JSON) and raw reply of the server (`blob`). No key is in either. */
    requestHash: text("request_hash"),
    replyHash: text("reply_hash"),
    /** 1: the reply came from our cache; nothing was used. */
    fromCache: integer("from_cache").notNull().default(0),
    /** Whole input, cached part included; null: not stated. */
    inputTokens: integer("input_tokens"),
    cachedTokens: integer("cached_tokens"),
    /** Whole output, reasoning included. */
    outputTokens: integer("output_tokens"),
    reasoningTokens: integer("reasoning_tokens"),
    /** Of all tries, waiting included. */
    durationMs: integer("duration_ms"),
    priceId: integer("price_id"),
    /** Billionths of the price row's currency, so that sums are exact; null: no price, or no token counts. */
    costNano: integer("cost_nano"),
    subject: text("subject"),
    jobId: integer("job_id"),
    createdAt: createdAt(),
  },
  (t) => [
    index("usage_job").on(t.jobId, t.role),
    index("usage_cache").on(t.requestHash, t.model),
    index("usage_by_role").on(t.role, t.model, t.id),
  ],
);

/**
 * What a judge that did not pay the reward said of the window of a rollout: yes | no, or failed | unparsed. Beside the
 * paying judge's verdict it shows whether the policy learned the behavior or the judge.
 */
export const rolloutVerdict = sqliteTable(
  "rollout_verdict",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    rolloutId: integer("rollout_id")
      .notNull()
      .references(() => rollout.id, { onDelete: "cascade" }),
    /** Name and version of the judge. */
    judge: text("judge").notNull(),
    answer: text("answer").notNull(),
    reason: text("reason"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("rollout_verdict_identity").on(t.rolloutId, t.judge)],
);

/** Price per million tokens from a date on. */
export const price = sqliteTable(
  "price",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    model: text("model").notNull(),
    currency: text("currency").notNull(),
    /** Units of USD for one unit of `currency`; null when currency is USD. */
    usdRate: real("usd_rate"),
    input: real("input").notNull(),
    cached: real("cached"),
    output: real("output").notNull(),
    validFrom: integer("valid_from").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("price_identity").on(t.model, t.validFrom)],
);
