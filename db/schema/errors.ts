import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { person } from "./study";

/** Something that judges steps: a rule set, a model with a prompt version, a person, or a data set's labels. */
export const localizer = sqliteTable(
  "localizer",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** rule | model | person | dataset */
    kind: text("kind").notNull(),
    name: text("name").notNull(),
    version: text("version").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("localizer_identity").on(t.kind, t.name, t.version)],
);

/**
 * A step that at least one localizer called bad: one row a step. `active` is 0 when no current localization says so
 * any more and no person labelled it; the row stays.
 */
export const errorStep = sqliteTable(
  "error_step",
  {
    stepId: integer("step_id").primaryKey(),
    trajectoryId: integer("trajectory_id").notNull(),
    environmentId: integer("environment_id"),
    checkpointId: integer("checkpoint_id"),
    active: integer("active").notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [index("error_step_trajectory").on(t.trajectoryId), index("error_step_active").on(t.active, t.stepId)],
);

/**
 * One localizer's verdict on a step. Never overwritten: a newer rule version adds rows and clears `current` of the
 * older ones. `verdict`: bad | good | failed (the call failed) | unparsed (the reply did not parse).
 */
export const localization = sqliteTable(
  "localization",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    stepId: integer("step_id").notNull(),
    localizerId: integer("localizer_id")
      .notNull()
      .references(() => localizer.id),
    verdict: text("verdict").notNull(),
    reason: text("reason"),
    commandSeen: text("command_seen"),
    /** Evidence[]: which earlier step, which span of which text. */
    evidence: json("evidence"),
    reply: text("reply"),
    usageId: integer("usage_id"),
    current: integer("current").notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [
    index("localization_step").on(t.stepId),
    index("localization_current").on(t.localizerId, t.current, t.stepId),
  ],
);

/** A version of a set of error types. The newest version of a name is in force. */
export const taxonomy = sqliteTable(
  "taxonomy",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    parentId: integer("parent_id"),
    /** builtin | dataset | annotator | edited */
    origin: text("origin").notNull(),
    note: text("note"),
    studyId: integer("study_id"),
    /** Job that builds it; null for the others. */
    jobId: integer("job_id"),
    /** building | done | failed */
    status: text("status").notNull().default("done"),
    /**
     * TaxonomySettings of lib/taxonomy/settings.ts: annotator, error steps looked at, batches, thresholds, seed. `coverage`
     * of an edited version: "everything" (its labels come from rules that see every step) or "assigned" (see `assignment`).
     */
    params: json("params").notNull().default("{}"),
    /** Who made it: an annotator and its version, a person, "import". */
    author: text("author"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("taxonomy_version").on(t.name, t.version), index("taxonomy_parent").on(t.parentId)],
);

/** One edit by a person between a version and the next: nothing is changed in place, so every old number can be had again. */
export const taxonomyOperation = sqliteTable(
  "taxonomy_operation",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** The version that it made. */
    taxonomyId: integer("taxonomy_id")
      .notNull()
      .references(() => taxonomy.id, { onDelete: "cascade" }),
    /** rename | redefine | merge | split | retire | restore | examples | import */
    kind: text("kind").notNull(),
    details: json("details").notNull(),
    actor: text("actor").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("taxonomy_operation_taxonomy").on(t.taxonomyId)],
);

/** One batch that an annotator was asked about while a taxonomy was built (recipe 11.3 to 11.5). */
export const taxonomyBatch = sqliteTable(
  "taxonomy_batch",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    taxonomyId: integer("taxonomy_id")
      .notNull()
      .references(() => taxonomy.id, { onDelete: "cascade" }),
    /** propose | refine | label */
    phase: text("phase").notNull(),
    number: integer("number").notNull(),
    /** done | failed | unparsed */
    status: text("status").notNull(),
    /** JSON number[]: the error steps shown. */
    stepIds: json("step_ids").notNull(),
    /** What the annotator answered, JSON; null when it gave no answer. */
    answer: json("answer"),
    assigned: integer("assigned").notNull().default(0),
    oneOff: integer("one_off").notNull().default(0),
    newPattern: integer("new_pattern").notNull().default(0),
    unclear: integer("unclear").notNull().default(0),
    repairs: json("repairs").notNull().default("[]"),
    usageId: integer("usage_id"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("taxonomy_batch_identity").on(t.taxonomyId, t.phase, t.number)],
);

/**
 * What an annotator made of an error step under a taxonomy version: labelled (its types are in `label`), none (fits no
 * type: a statement, not a gap), failed or unparsed. No row: not looked at.
 */
export const assignment = sqliteTable(
  "assignment",
  {
    taxonomyId: integer("taxonomy_id")
      .notNull()
      .references(() => taxonomy.id, { onDelete: "cascade" }),
    stepId: integer("step_id").notNull(),
    localizerId: integer("localizer_id")
      .notNull()
      .references(() => localizer.id),
    status: text("status").notNull(),
    /** 1: made before an edit that may have changed the answer; waits for a relabel. */
    stale: integer("stale").notNull().default(0),
    batchId: integer("batch_id"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.taxonomyId, t.stepId, t.localizerId] }),
    index("assignment_stale").on(t.taxonomyId, t.stale, t.status),
  ],
);

/** An error type; `named` 1 makes it a misbehavior (generalizable, counted on the pages). */
export const errorType = sqliteTable(
  "error_type",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    taxonomyId: integer("taxonomy_id")
      .notNull()
      .references(() => taxonomy.id),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    definition: text("definition").notNull(),
    /** JSON string[]: what it is not. */
    excludes: json("excludes").notNull().default("[]"),
    example: text("example"),
    looksFor: text("looks_for"),
    named: integer("named").notNull().default(1),
    rank: integer("rank").notNull().default(0),
    /** Ids of the types of the parent version that it came from (merge, split, rename). */
    lineage: json("lineage").notNull().default("[]"),
    /** JSON string[]: misbehaviors whose rule detectors label this type; a merged type has several, a redefined one none. */
    detectors: json("detectors").notNull().default("[]"),
    /** JSON number[]: example steps chosen by a person or for their shortness. */
    examples: json("examples").notNull().default("[]"),
    /** kept | tail (too rare: visible, not counted as a misbehavior) | retired */
    status: text("status").notNull().default("kept"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("error_type_slug").on(t.taxonomyId, t.slug)],
);

/** An error step has an error type, says this source. `value`: yes | no | unsure | environment-fault. Never overwritten. */
export const label = sqliteTable(
  "label",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    stepId: integer("step_id").notNull(),
    errorTypeId: integer("error_type_id")
      .notNull()
      .references(() => errorType.id),
    value: text("value").notNull().default("yes"),
    /** rule | model | person | dataset */
    source: text("source").notNull(),
    localizerId: integer("localizer_id").references(() => localizer.id),
    personId: integer("person_id").references(() => person.id),
    localizationId: integer("localization_id").references(() => localization.id),
    reason: text("reason"),
    /** The label of the parent version that it repeats; null for a first-hand one. */
    carriedFrom: integer("carried_from"),
    usageId: integer("usage_id"),
    current: integer("current").notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [index("label_step").on(t.stepId), index("label_type").on(t.errorTypeId, t.current, t.stepId)],
);

/**
 * Which active error types a trajectory has: one row each, with the number of error steps. Scope values beside error
 * type ids: see ALL_ERRORS and scopesOf. Maintained in the transaction that changes labels.
 */
export const trajectoryType = sqliteTable(
  "trajectory_type",
  {
    scope: integer("scope").notNull(),
    trajectoryId: integer("trajectory_id").notNull(),
    errorSteps: integer("error_steps").notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.trajectoryId] }), index("trajectory_type_trajectory").on(t.trajectoryId)],
);

/** Pseudo type of `scope`: every active error step, whatever the taxonomy. */
export const ALL_ERRORS = 0;

/**
 * Pseudo types of `scope` under a taxonomy version: error steps with at least one of its misbehaviors, and those that were
 * looked at and have none. What is in neither was not looked at under that version.
 */
export const scopesOf = (taxonomyId: number): { named: number; unlabelled: number } => ({
  named: -(2 * taxonomyId - 1),
  unlabelled: -(2 * taxonomyId),
});

/**
 * Counters behind the misbehavior pages, by scope, environment and checkpoint (0 = the file does not say).
 * Maintained by triggers on trajectory_type, so they cannot differ from it.
 */
export const typeCount = sqliteTable(
  "type_count",
  {
    scope: integer("scope").notNull(),
    environmentId: integer("environment_id").notNull(),
    checkpointId: integer("checkpoint_id").notNull(),
    errorSteps: integer("error_steps").notNull(),
    trajectories: integer("trajectories").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.environmentId, t.checkpointId] }),
    index("type_count_checkpoint").on(t.checkpointId, t.scope, t.errorSteps, t.trajectories),
  ],
);

/** Denominators: trajectories and steps by environment, checkpoint and outcome (0 = the file does not say). */
export const corpusCount = sqliteTable(
  "corpus_count",
  {
    environmentId: integer("environment_id").notNull(),
    checkpointId: integer("checkpoint_id").notNull(),
    format: text("format").notNull(),
    outcome: text("outcome").notNull(),
    trajectories: integer("trajectories").notNull(),
    steps: integer("steps").notNull(),
    errorSteps: integer("error_steps").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.environmentId, t.checkpointId, t.format, t.outcome] }),
    index("corpus_count_checkpoint").on(t.checkpointId, t.outcome, t.trajectories, t.steps, t.errorSteps),
  ],
);
