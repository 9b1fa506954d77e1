import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { localize } from "@/lib/profile/rules";
import type { Finding } from "@/lib/profile/rules/finding";
import { storeFindings } from "@/lib/profile/scan";
import { behaviorRewardOf } from "@/lib/train/rollout/reward";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { type Prepared, prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { totals } from "@/lib/trajectory/totals";
import type { FinishedGroup, FinishedRollout, FinishedStep } from "./finished";

/** Which training a step belongs to. */
export interface RunIdentity {
  id: number;
  studyId: number;
  jobId: number;
  /** Name of the moving policy: row of `checkpoint`. */
  policy: string;
}

interface Ready {
  prepared: Prepared;
  findings: Finding[];
}

/** A step with all that is computed before the database is touched. */
export interface PreparedStep {
  finished: FinishedStep;
  ready: Map<FinishedRollout, Ready>;
}

/** Packs the texts of a step's rollouts and scans them: the slow part, outside of the transaction. */
export function prepareStep(run: RunIdentity, finished: FinishedStep): PreparedStep {
  const ready = new Map<FinishedRollout, Ready>();
  for (const group of finished.groups)
    for (const [i, rollout] of group.rollouts.entries()) {
      if (rollout.kind === "void") continue;
      const trajectory = totals(rollout.trajectory);
      trajectory.model = run.policy;
      const hash = createHash("sha256")
        .update(`training ${run.id} ${finished.step} ${group.number} ${i + 1}\n${stepsFingerprint(trajectory.steps)}`)
        .digest("hex");
      const findings = localize(trajectory.steps, { beforeRun: true });
      ready.set(rollout, { prepared: prepareTrajectory(trajectory, hash), findings });
    }
  return { finished, ready };
}

const mean = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, v) => sum + v, 0) / values.length;

function storeGroup(db: Db, run: RunIdentity, step: number, group: FinishedGroup): number {
  const rewards = group.rollouts.flatMap((r) => (r.kind === "done" && r.reward !== null ? [r.reward] : []));
  return Number(
    statement(
      db,
      `insert into rollout_group (training_run_id, step, number, draw, prefix_id, environment_id, dead, counted, mean_reward)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      run.id,
      step,
      group.number,
      group.draw,
      group.prefixId,
      group.environmentId,
      group.dead,
      rewards.length,
      mean(rewards),
    ).lastInsertRowid,
  );
}

function storeOne(db: Db, run: RunIdentity, group: FinishedGroup, { prepared, findings }: Ready, at: string): number {
  const stored = storeTrajectory(db, prepared, {
    studyId: run.studyId,
    jobId: run.jobId,
    sourceKey: `training:${run.id}/${at}#`,
    environmentId: group.environmentId,
  });
  if (group.left)
    statement(db, "update trajectory set parent_id = ?, parent_step = ? where id = ?").run(
      group.left.trajectoryId,
      group.left.index,
      stored.id,
    );
  if (stored.status !== "present") storeFindings(db, stored.id, findings, stored.status === "imported");
  return stored.id;
}

/** Stores a step: groups, rollouts with their trajectories, and its numbers. Inside the transaction that ends its item. */
export function storeStep(db: Db, run: RunIdentity, { finished, ready }: PreparedStep): void {
  const { step, groups, metrics } = finished;
  const insert = statement(
    db,
    `insert into rollout (group_id, number, trajectory_id, outcome_reward, behavior_reward, reward, advantage, verdict,
       verdict_reason, rating, ended, steps, tokens, kept_tokens, surprise, duration_ms, void_reason)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const group of groups) {
    const groupId = storeGroup(db, run, step, group);
    for (const [i, rollout] of group.rollouts.entries()) {
      if (rollout.kind === "void") {
        const nothing = Array<null>(13).fill(null);
        insert.run(groupId, i + 1, ...nothing, rollout.durationMs, rollout.reason);
        continue;
      }
      const at = `${step}/${group.number}/${i + 1}`;
      insert.run(
        groupId,
        i + 1,
        storeOne(db, run, group, ready.get(rollout) as Ready, at),
        rollout.outcomeReward,
        rollout.behavior === null ? null : behaviorRewardOf(rollout.behavior),
        rollout.reward,
        rollout.advantage,
        rollout.behavior?.answer ?? null,
        rollout.behavior?.reason ?? null,
        rollout.rating,
        rollout.ended,
        rollout.steps,
        rollout.tokens,
        rollout.keptTokens,
        rollout.surprise,
        rollout.durationMs,
        null,
      );
    }
  }
  statement(db, "insert into training_step (training_run_id, step, metrics) values (?, ?, ?)").run(
    run.id,
    step,
    JSON.stringify(metrics),
  );
}
