import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { countedRollouts, profileRates, type Rate } from "./profileRates";

export interface StoredEvaluation {
  evaluationId: number;
  rates: Rate[];
  /** Rollouts that make no statement. */
  void: number;
}

/**
 * Measures a plain profile and stores it as an evaluation: its protocol and rates, and a score row a rollout for the
 * outcome (null: void) and for each misbehavior that it showed. Throws when there is no such profile.
 */
export function storeEvaluation(db: Db, profileId: number): StoredEvaluation {
  const profile = statement(
    db,
    "select study_id as studyId, checkpoint_id as checkpointId, job_id as jobId, name, settings, seed from profile where id = ?",
  ).get(profileId) as
    | { studyId: number; checkpointId: number; jobId: number; name: string; settings: string; seed: number }
    | undefined;
  if (!profile) throw new Error(`there is no profile ${profileId}`);
  const rollouts = countedRollouts(db, profileId);
  const rates = profileRates(rollouts, profile.seed);
  const protocol = { profileId, settings: JSON.parse(profile.settings) as unknown, rates };
  const score = statement(
    db,
    `insert into score (evaluation_id, checkpoint_id, environment_id, run, metric, value, trajectory_id, void_reason)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return db.$client
    .transaction(() => {
      const evaluationId = Number(
        statement(
          db,
          "insert into evaluation (study_id, kind, name, protocol, job_id) values (?, 'score', ?, ?, ?)",
        ).run(profile.studyId, profile.name, JSON.stringify(protocol), profile.jobId).lastInsertRowid,
      );
      for (const r of rollouts) {
        const add = (metric: string, value: number | null) =>
          score.run(
            evaluationId,
            profile.checkpointId,
            r.environmentId,
            r.number,
            metric,
            value,
            r.trajectoryId,
            r.voidReason,
          );
        add("outcome", r.outcomeReward);
        for (const slug of r.slugs) add(`misbehavior:${slug}`, 1);
      }
      return { evaluationId, rates, void: rollouts.filter((r) => r.status === "void").length };
    })
    .immediate();
}
