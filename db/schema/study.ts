import { blob as bytes, index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";

/** A study: everything that belongs together (profile, taxonomy, prefixes, trainings, measurements). Study 1 holds imports. */
export const study = sqliteTable("study", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull().unique(),
  /** own | sample | reference */
  kind: text("kind").notNull().default("own"),
  settings: json("settings").notNull().default("{}"),
  createdAt: createdAt(),
});

/** A policy at one point of its training; for imports: the model name the file states. */
export const checkpoint = sqliteTable("checkpoint", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull().unique(),
  /** imported | embedded | endpoint | scripted */
  kind: text("kind").notNull().default("imported"),
  parentId: integer("parent_id"),
  trainingRunId: integer("training_run_id"),
  trainingStep: integer("training_step"),
  card: json("card").notNull().default("{}"),
  createdAt: createdAt(),
});

/** An environment (task) a policy works in. `dataset` is "" when the file names none, so that the pair is unique. */
export const environment = sqliteTable(
  "environment",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    dataset: text("dataset").notNull().default(""),
    /** imported | harbor | terminal-bench | tiny */
    kind: text("kind").notNull().default("imported"),
    family: text("family"),
    seed: integer("seed"),
    /** training | heldout | null when not split. */
    split: text("split"),
    /** Where its files are on this machine; null when only trajectories name it. */
    directory: text("directory"),
    /** EnvironmentSpec of lib/environment/types.ts; {} when only trajectories name it. */
    spec: json("spec").notNull().default("{}"),
    /** SHA-256 over its files; null when it has none. */
    digest: text("digest"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("environment_name").on(t.name, t.dataset)],
);

/** One check of an environment: the reference solution, or doing nothing, then the hidden tests. */
export const environmentCheck = sqliteTable(
  "environment_check",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environment.id, { onDelete: "cascade" }),
    /** solution | nothing */
    what: text("what").notNull(),
    driver: text("driver").notNull(),
    /** done | void */
    status: text("status").notNull(),
    /** r_o; null when void. */
    reward: real("reward"),
    voidReason: text("void_reason"),
    /** TestRun of lib/environment/types.ts without its log. */
    result: json("result").notNull().default("{}"),
    /** Log of solution and tests (`blob`). */
    logHash: text("log_hash"),
    digest: text("digest"),
    durationMs: integer("duration_ms"),
    jobId: integer("job_id"),
    createdAt: createdAt(),
  },
  (t) => [index("environment_check_environment").on(t.environmentId, t.id)],
);

/** A person who labels or reviews. */
export const person = sqliteTable("person", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull().unique(),
  /** viewer | annotator | admin */
  role: text("role").notNull().default("annotator"),
  /** Account that signs in as this person; null without one. */
  userId: text("user_id").unique(),
  /** Since when this person may not act any more; what they did stays. */
  disabledAt: integer("disabled_at"),
  createdAt: createdAt(),
});

/** Content-addressed large text or bytes outside the rows: raw model replies, uploads, environment packages. */
export const blob = sqliteTable("blob", {
  /** Hex SHA-256 of the plain bytes. */
  hash: text("hash").primaryKey(),
  /** plain | deflate-raw */
  codec: text("codec").notNull(),
  /** Length of the plain bytes. */
  bytes: integer("bytes").notNull(),
  data: bytes("data").notNull(),
  createdAt: createdAt(),
});

/** Key-value facts about this database: sample state, FTS generation, last counter check. */
export const setting = sqliteTable("setting", {
  key: text("key").primaryKey(),
  value: json("value").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
