import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { statement } from "@/db/statement";

/** Rollouts (or reruns) of one phase of a training. */
export interface PhaseRow {
  trainingId: number;
  /** profile, rerun: what its starts came from; rollouts: its own; measure: samples of its checkpoints. */
  phase: "profile" | "rerun" | "rollouts" | "measure";
  rollouts: number;
  /** Sampled tokens; null: not known of any. */
  tokens: number | null;
  /** Seconds in sandboxes and in the policy, added up over rollouts that ran beside each other; milliseconds; null: not known of any. */
  busyMs: number | null;
}

/**
 * Profiles that trainings need: those their prefixes came from, those whose prefixes chose the environments they start in,
 * and those whose accepted trajectories are candidates for pivots. `rerun`: its prefixes had to be kept first. Recipes paid
 * by a rubric have none, as in the paper's count: they start in chosen environments only to be compared with the others.
 */
export const NEEDED_PROFILES = `
  select distinct g.training_run_id as run, own.profile_id as profile, 1 as rerun
  from rollout_group g join prefix px on px.id = g.prefix_id join profile_rollout own on own.trajectory_id = px.step_id / ${SPAN}
  union
  select t.id, own.profile_id, 1
  from training_run t join prefix px on px.study_id = t.study_id and px.status = 'kept' and px.created_at <= t.created_at
    join profile_rollout own on own.trajectory_id = px.step_id / ${SPAN}
  where json_extract(t.settings, '$.start.kind') = 'environments' and json_extract(t.settings, '$.reward.kind') is not 'rubric'
    and px.environment_id in (select value from json_each(t.settings, '$.plan.ids'))
    and px.draw_id is ifnull(json_extract(t.settings, '$.start.prefixes.drawId'), px.draw_id)
  union
  select t.id, json_extract(t.settings, '$.start.profileId'), 0
  from training_run t where json_extract(t.settings, '$.start.kind') = 'pivot'`;

/**
 * What each phase of trainings ran. A profile that several trainings start from is whole in each of them, as a training
 * would have needed it alone.
 */
export const phaseRows = (db: Db): PhaseRow[] =>
  statement(
    db,
    `with drawn as materialized (${NEEDED_PROFILES})
     select d.run as trainingId, 'profile' as phase, count(*) as rollouts, sum(p.tokens) as tokens, sum(p.duration_ms) as busyMs
     from drawn d join profile_rollout p on p.profile_id = d.profile group by d.run
     union all
     select d.run, 'rerun', count(*), null, sum(r.duration_ms)
     from drawn d join profile_rollout p on p.profile_id = d.profile
       join prefix px on px.step_id between p.trajectory_id * ${SPAN} and p.trajectory_id * ${SPAN} + ${SPAN - 1}
       join rerun r on r.prefix_id = px.id where d.rerun = 1 group by d.run
     union all
     select g.training_run_id, 'rollouts', count(*), sum(r.tokens), sum(r.duration_ms)
     from rollout r join rollout_group g on g.id = r.group_id group by g.training_run_id
     union all
     select c.training_run_id, 'measure', count(*), null, sum(s.duration_ms)
     from behavior_sample s join checkpoint c on c.id = s.checkpoint_id where c.training_run_id is not null group by c.training_run_id
     order by 1`,
  ).all() as PhaseRow[];

/** Wall time of a training's steps by what it was spent on; milliseconds; null: no step says. */
export interface WallRow {
  trainingId: number;
  rollouts: number | null;
  learn: number | null;
}

export const wallRows = (db: Db): WallRow[] =>
  statement(
    db,
    `select training_run_id as trainingId, sum(json_extract(metrics, '$.ms.rollouts')) as rollouts, sum(json_extract(metrics, '$.ms.learn')) as learn
     from training_step group by training_run_id`,
  ).all() as WallRow[];

/** Measurements whose first policy is not of the training, with a checkpoint of it; newest last. */
export interface MeasuredTraining {
  trainingId: number;
  evaluationId: number;
  checkpointId: number;
  checkpoint: string;
}

export const measuredTrainings = (db: Db): MeasuredTraining[] =>
  statement(
    db,
    `select distinct c.training_run_id as trainingId, s.evaluation_id as evaluationId, c.id as checkpointId, c.name as checkpoint
     from behavior_sample s join checkpoint c on c.id = s.checkpoint_id where c.training_run_id is not null
     order by s.evaluation_id, c.training_step`,
  ).all() as MeasuredTraining[];
