import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";
import { errorType } from "./errors";
import { checkpoint, environment, study } from "./study";

/** A profiling run (paper 3.2): a policy rolled out under a localizer and a teacher. One row a job. */
export const profile = sqliteTable(
  "profile",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    studyId: integer("study_id")
      .notNull()
      .references(() => study.id),
    jobId: integer("job_id").notNull(),
    checkpointId: integer("checkpoint_id")
      .notNull()
      .references(() => checkpoint.id),
    name: text("name").notNull(),
    /** profile: flagged steps are corrected | plain: nobody interferes | catch: errors are injected at known steps */
    mode: text("mode").notNull(),
    /** ProfileSettings of lib/profile/settings.ts. */
    settings: json("settings").notNull(),
    seed: integer("seed").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("profile_job").on(t.jobId)],
);

/** One rollout of a profile. Its trajectory is an ordinary one; a void rollout has none. */
export const profileRollout = sqliteTable(
  "profile_rollout",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    profileId: integer("profile_id")
      .notNull()
      .references(() => profile.id, { onDelete: "cascade" }),
    environmentId: integer("environment_id")
      .notNull()
      .references(() => environment.id),
    /** 1,2,… within the environment. */
    number: integer("number").notNull(),
    trajectoryId: integer("trajectory_id"),
    /** finished | discarded (three corrections were rejected) | void (infrastructure, never a score) */
    status: text("status").notNull(),
    /** submitted | steps | context | format (too many replies without a command) | null */
    ended: text("ended"),
    voidReason: text("void_reason"),
    /** r_o of the final state; null when there is none. */
    outcomeReward: real("outcome_reward"),
    /** Proposals of the policy. */
    steps: integer("steps").notNull().default(0),
    /** Of these, flagged by the localizer. */
    errorSteps: integer("error_steps").notNull().default(0),
    /** Of these, not well-formed. */
    formatErrors: integer("format_errors").notNull().default(0),
    /** Tries of the teacher, accepted or not. */
    corrections: integer("corrections").notNull().default(0),
    /** Sampled tokens; null when the policy does not say. */
    tokens: integer("tokens"),
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("profile_rollout_identity").on(t.profileId, t.environmentId, t.number),
    index("profile_rollout_trajectory").on(t.trajectoryId),
  ],
);

/** A step of a catch trial whose truth is known: an injected error, or a step known to be right (`errorTypeId` null). */
export const trialStep = sqliteTable(
  "trial_step",
  {
    stepId: integer("step_id").primaryKey(),
    profileId: integer("profile_id")
      .notNull()
      .references(() => profile.id, { onDelete: "cascade" }),
    errorTypeId: integer("error_type_id").references(() => errorType.id),
  },
  (t) => [index("trial_step_profile").on(t.profileId, t.errorTypeId)],
);
