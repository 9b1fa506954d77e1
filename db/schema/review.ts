import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { taxonomy } from "./errors";
import { person } from "./study";

/** A review queue: one question over a sample of subjects (design 11, /review). */
export const reviewQueue = sqliteTable("review_queue", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull().unique(),
  /** wrong | types | window | prefix: QUESTIONS of lib/review/types.ts. */
  question: text("question").notNull(),
  /** Version whose types are offered; only for `types`. */
  taxonomyId: integer("taxonomy_id").references(() => taxonomy.id),
  /** Measurement whose windows are judged; only for `window`. */
  evaluationId: integer("evaluation_id"),
  /** Answers wanted an item; gold and catch items are given to every rater. */
  raters: integer("raters").notNull(),
  /** QueueSettings of lib/review/types.ts: blindness, reason, lease, how it was drawn. */
  settings: json("settings").notNull(),
  /** queue | norming (everybody answers everything, then sees, then answers again). */
  mode: text("mode").notNull().default("queue"),
  /** Of a norming one: blind | revealed | again | closed; of a queue: open | closed. */
  phase: text("phase").notNull().default("open"),
  createdBy: integer("created_by").references(() => person.id),
  createdAt: createdAt(),
});

/** A version of what raters are told. The newest of its queue is shown; answers name the one they were given under. */
export const reviewGuideline = sqliteTable(
  "review_guideline",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    queueId: integer("queue_id")
      .notNull()
      .references(() => reviewQueue.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    text: text("text").notNull(),
    personId: integer("person_id").references(() => person.id),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("review_guideline_version").on(t.queueId, t.version)],
);

/** One subject of a queue. `answers` and `status` are rollups, kept in the transaction of the answer. */
export const reviewItem = sqliteTable(
  "review_item",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    queueId: integer("queue_id")
      .notNull()
      .references(() => reviewQueue.id, { onDelete: "cascade" }),
    /** Order in which items are given out, from 1. */
    position: integer("position").notNull(),
    /** Step (wrong, types), behavior_sample (window) or prefix (prefix). */
    subjectId: integer("subject_id").notNull(),
    /** What it was drawn for: a type, a judge's split, … */
    stratum: text("stratum"),
    /** 1: drawn at random from everything the queue is about, so that it may correct rates. */
    random: integer("random").notNull().default(0),
    /** Known answer (GoldAnswer of lib/review/types.ts) of a gold or catch item; null for the others. Never sent to raters. */
    gold: json("gold"),
    /** gold | catch | null */
    goldKind: text("gold_kind"),
    /** Current answers that are not `skip`, of round 1. */
    answers: integer("answers").notNull().default(0),
    /** open | answered (has all its answers) | settled */
    status: text("status").notNull().default("open"),
  },
  (t) => [
    uniqueIndex("review_item_subject").on(t.queueId, t.subjectId),
    index("review_item_position").on(t.queueId, t.status, t.position),
  ],
);

/** Who has an item in hand, and until when. A row goes when its person answers or lets go; one past `until` is free. */
export const reviewClaim = sqliteTable(
  "review_claim",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    itemId: integer("item_id")
      .notNull()
      .references(() => reviewItem.id, { onDelete: "cascade" }),
    personId: integer("person_id")
      .notNull()
      .references(() => person.id),
    until: integer("until").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("review_claim_person").on(t.itemId, t.personId), index("review_claim_until").on(t.until)],
);

/** What a person said of an item. Never overwritten: a changed answer is a new row, `current` is cleared on the old one. */
export const reviewAnswer = sqliteTable(
  "review_answer",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    itemId: integer("item_id")
      .notNull()
      .references(() => reviewItem.id, { onDelete: "cascade" }),
    personId: integer("person_id")
      .notNull()
      .references(() => person.id),
    /** 1: blind; 2: after the reveal of a norming one. */
    round: integer("round").notNull().default(1),
    /** VERDICTS of lib/review/types.ts: of the question, or unsure | environment | skip. */
    verdict: text("verdict").notNull(),
    /** JSON number[]: error types, only where the verdict is `types`. */
    types: json("types"),
    reason: text("reason"),
    /** From the item's showing to the answer; null when it came from a file that does not say. */
    durationMs: integer("duration_ms"),
    /** 1: given faster than its text can be read. */
    tooFast: integer("too_fast").notNull().default(0),
    guidelineId: integer("guideline_id").references(() => reviewGuideline.id),
    /** here | import */
    origin: text("origin").notNull().default("here"),
    /** Made by the rater's page for each answer, so that one sent twice is taken once; null where no page sent it. */
    clientKey: text("client_key"),
    current: integer("current").notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [
    index("review_answer_item").on(t.itemId, t.current),
    index("review_answer_person").on(t.personId, t.createdAt),
    uniqueIndex("review_answer_key").on(t.personId, t.clientKey).where(sql`client_key is not null`),
    // One current answer a person, item and round, whatever happens at once.
    uniqueIndex("review_answer_current").on(t.itemId, t.personId, t.round, t.current).where(sql`current = 1`),
  ],
);

/** Everything that happens in review, in order: claim, answer, undo, skip, settle, reveal, … Only ever added to. */
export const reviewEvent = sqliteTable(
  "review_event",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    queueId: integer("queue_id")
      .notNull()
      .references(() => reviewQueue.id, { onDelete: "cascade" }),
    itemId: integer("item_id"),
    personId: integer("person_id").references(() => person.id),
    kind: text("kind").notNull(),
    details: json("details"),
    createdAt: createdAt(),
  },
  (t) => [index("review_event_queue").on(t.queueId, t.id), index("review_event_person").on(t.personId, t.id)],
);

/** What holds of an item after all: its labels come from here. A changed decision is a new row. */
export const reviewSettlement = sqliteTable(
  "review_settlement",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    itemId: integer("item_id")
      .notNull()
      .references(() => reviewItem.id, { onDelete: "cascade" }),
    verdict: text("verdict").notNull(),
    /** JSON number[] as in an answer. */
    types: json("types"),
    /** unanimous (adopted as it stood) | decided (by a person) */
    method: text("method").notNull(),
    comment: text("comment"),
    personId: integer("person_id").references(() => person.id),
    current: integer("current").notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [index("review_settlement_item").on(t.itemId, t.current)],
);
