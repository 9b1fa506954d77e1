import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/** Where attempts come from: imported trajectories with the rewards they state, or stored evaluations. */
export type ScoreSource = "trajectories" | "evaluation";

/** One attempt of a policy at a task. */
export interface AttemptRow {
  checkpointId: number;
  checkpoint: string;
  environmentId: number;
  task: string;
  /** Which run of its evaluation; null: the source does not number attempts. */
  run: number | null;
  evaluationId: number | null;
  /** null: void, never a 0. */
  value: number | null;
  voidReason: string | null;
  trajectoryId: number | null;
  steps: number | null;
}

/** A set of tasks with attempts that can be compared. `key` names it in addresses. */
export interface ScoreSet {
  key: string;
  source: ScoreSource;
  dataset: string;
  tasks: number;
  checkpoints: number;
  attempts: number;
}

/** Trajectories that somebody else's harness made: ours have a row where their reward was worked out. */
const IMPORTED = `t.superseded_by is null and t.parent_id is null and c.kind = 'imported'
  and t.id not in (select trajectory_id from score where trajectory_id is not null)
  and not exists (select 1 from profile_rollout p where p.trajectory_id = t.id)`;

/** Every set of scored attempts, largest first. A data set whose files state no reward at all is none. */
export function scoreSets(db: Db): ScoreSet[] {
  const rows = all<Omit<ScoreSet, "key">>(
    db,
    `select 'trajectories' as source, e.dataset as dataset, count(distinct e.id) as tasks,
       count(distinct c.id) as checkpoints, count(*) as attempts
     from trajectory t join checkpoint c on c.id = t.checkpoint_id join environment e on e.id = t.environment_id
     where ${IMPORTED} group by e.dataset having sum(t.reward is not null) > 0
     union all
     select 'evaluation', e.dataset, count(distinct e.id), count(distinct s.checkpoint_id), count(*)
     from score s join evaluation v on v.id = s.evaluation_id join environment e on e.id = s.environment_id
     where v.kind = 'score' and s.metric = 'outcome' and s.checkpoint_id is not null group by e.dataset
     order by attempts desc`,
  );
  return rows.map((row) => ({ ...row, key: `${row.source}:${row.dataset}` }));
}

/** Rewards of a set of trajectories; those without one are void, with what their file says of the end. */
const TRAJECTORIES = `select c.id as checkpointId, c.name as checkpoint, e.id as environmentId, e.name as task,
    t.attempt as run, null as evaluationId, t.reward as value,
    case when t.reward is null then coalesce(t.exception_type, t.exit_status, 'no reward is recorded') end as voidReason,
    t.id as trajectoryId, t.steps as steps
  from trajectory t join checkpoint c on c.id = t.checkpoint_id join environment e on e.id = t.environment_id
  where ${IMPORTED} and e.dataset = ?
  order by c.name, e.name, t.attempt, t.started_at, t.id`;

const EVALUATIONS = `select c.id as checkpointId, c.name as checkpoint, e.id as environmentId, e.name as task,
    s.run as run, s.evaluation_id as evaluationId, s.value as value, s.void_reason as voidReason,
    s.trajectory_id as trajectoryId, coalesce(t.steps, (select n.value from score n where n.evaluation_id = s.evaluation_id
      and n.checkpoint_id = s.checkpoint_id and n.environment_id = s.environment_id and n.run = s.run
      and n.metric = 'steps')) as steps
  from score s join evaluation v on v.id = s.evaluation_id join checkpoint c on c.id = s.checkpoint_id
    join environment e on e.id = s.environment_id left join trajectory t on t.id = s.trajectory_id
  where v.kind = 'score' and s.metric = 'outcome' and e.dataset = ?
  order by c.name, e.name, s.evaluation_id, s.run`;

/** Every attempt of a set, by policy and task, in the order of their runs. */
export const attemptRows = (db: Db, set: Pick<ScoreSet, "source" | "dataset">): AttemptRow[] =>
  all<AttemptRow>(db, set.source === "trajectories" ? TRAJECTORIES : EVALUATIONS, set.dataset);

/** Error steps of one policy in one task, by misbehavior. */
export interface ShareRow {
  checkpointId: number;
  checkpoint: string;
  environmentId: number;
  trajectories: number;
  errorSteps: number;
  /** JSON: {slug: [error steps, trajectories]}. */
  types: string;
}

/** Error steps and trajectories with each misbehavior, a row a policy and task, of the imported trajectories of a data set. */
export function shareRows(db: Db, dataset: string, span: number): ShareRow[] {
  return all<ShareRow>(
    db,
    `with mine as (select t.id, t.checkpoint_id as c, c.name as name, t.environment_id as e, t.error_steps as n
       from trajectory t join checkpoint c on c.id = t.checkpoint_id join environment e on e.id = t.environment_id
       where ${IMPORTED} and e.dataset = ?),
     typed as (select m.c, m.e, y.slug, count(distinct x.step_id) as steps, count(distinct m.id) as trajectories
       from mine m join error_step x on x.trajectory_id = m.id and x.active = 1
         and x.step_id between m.id * ? and m.id * ? + ? - 1
       join label l on l.step_id = x.step_id and l.current = 1 and l.value = 'yes'
       join error_type y on y.id = l.error_type_id join taxonomy o on o.id = y.taxonomy_id
       where o.origin in ('builtin', 'dataset') group by m.c, m.e, y.slug),
     listed as (select c, e, json_group_object(slug, json_array(steps, trajectories)) as types from typed group by c, e)
     select m.c as checkpointId, m.name as checkpoint, m.e as environmentId, count(*) as trajectories,
       sum(m.n) as errorSteps,
       coalesce(y.types, '{}') as types
     from mine m left join listed y on y.c = m.c and y.e = m.e group by m.c, m.e order by m.name, m.e`,
    dataset,
    span,
    span,
    span,
  );
}

/** How many different environments the training of a checkpoint had drawn groups from by its step. */
export const trainingEnvironments = (db: Db): { checkpointId: number; environments: number }[] =>
  all(
    db,
    `select c.id as checkpointId, count(distinct g.environment_id) as environments
     from checkpoint c join rollout_group g on g.training_run_id = c.training_run_id and g.step <= c.training_step
     group by c.id`,
  );

/** What every checkpoint was trained from. */
export const descents = (db: Db): { id: number; parentId: number | null }[] =>
  all(db, "select id, parent_id as parentId from checkpoint");
