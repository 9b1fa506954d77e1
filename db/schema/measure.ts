import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt } from "./columns";
import { checkpoint, person } from "./study";
import { evaluation } from "./train";

/**
 * One sample of a misbehavior measurement (recipe 8): a policy goes on from a prefix for the first m steps, which judges
 * then read. A void one makes no statement and is in no denominator.
 */
export const behaviorSample = sqliteTable(
  "behavior_sample",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    evaluationId: integer("evaluation_id")
      .notNull()
      .references(() => evaluation.id, { onDelete: "cascade" }),
    checkpointId: integer("checkpoint_id")
      .notNull()
      .references(() => checkpoint.id),
    prefixId: integer("prefix_id").notNull(),
    /** Misbehavior of the prefix: what is looked for. */
    errorTypeId: integer("error_type_id").notNull(),
    /** 1,2,… of its policy and prefix. */
    number: integer("number").notNull(),
    trajectoryId: integer("trajectory_id"),
    /** Steps of the policy in the window; null when void. */
    steps: integer("steps"),
    /** 1: the policy, or one it descends from, was trained in the environment of the prefix. */
    leaked: integer("leaked").notNull().default(0),
    voidReason: text("void_reason"),
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("behavior_sample_identity").on(t.evaluationId, t.checkpointId, t.prefixId, t.number),
    index("behavior_sample_trajectory").on(t.trajectoryId),
  ],
);

/** What a judge said of the window of a sample: yes | no, or failed | unparsed, which are in no denominator. */
export const behaviorVerdict = sqliteTable(
  "behavior_verdict",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    sampleId: integer("sample_id")
      .notNull()
      .references(() => behaviorSample.id, { onDelete: "cascade" }),
    /** Name and version of the judge. */
    judge: text("judge").notNull(),
    answer: text("answer").notNull(),
    reason: text("reason"),
    usageId: integer("usage_id"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("behavior_verdict_identity").on(t.sampleId, t.judge)],
);

/** What a person said of the window of a sample. Never overwritten: the newest of an author counts. */
export const windowLabel = sqliteTable(
  "window_label",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    sampleId: integer("sample_id")
      .notNull()
      .references(() => behaviorSample.id, { onDelete: "cascade" }),
    personId: integer("person_id").references(() => person.id),
    /** Name of the person, or of the file the label came from. */
    author: text("author").notNull(),
    /** yes | no | unsure */
    answer: text("answer").notNull(),
    reason: text("reason"),
    /** 1: its window was drawn at random, so that it may correct rates; 0: chosen for another reason. */
    random: integer("random").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [index("window_label_sample").on(t.sampleId, t.author, t.id)],
);
