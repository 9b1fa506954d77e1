import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/** The environments that candidates are compared on: the first `environments` held-out ones, one rollout each, by seed 1. */
export interface SelectionSet {
  environments: number;
}

/** How one checkpoint did in one environment of the selection set. */
export interface SelectionCell {
  environmentId: number;
  solved: number;
  attempts: number;
  void: number;
}

/** The newest run of a checkpoint on the selection set. */
export interface SelectionRun {
  checkpointId: number;
  profileId: number;
  jobId: number;
  /** null: the job is gone. */
  jobStatus: string | null;
}

/** The newest plain profile of each of these checkpoints on the set. */
export const selectionRuns = (db: Db, checkpointIds: readonly number[], set: SelectionSet): SelectionRun[] =>
  all<SelectionRun>(
    db,
    `select p.checkpoint_id as checkpointId, max(p.id) as profileId, p.job_id as jobId, j.status as jobStatus
     from profile p left join job j on j.id = p.job_id
     where p.mode = 'plain' and p.seed = 1 and json_extract(p.settings, '$.environments.part') = 'heldout'
       and json_extract(p.settings, '$.environments.count') = ? and json_extract(p.settings, '$.rollouts') = 1
       and p.checkpoint_id in (select value from json_each(?))
     group by p.checkpoint_id`,
    set.environments,
    JSON.stringify(checkpointIds),
  );

/** Rollouts of a run by environment; void ones apart. */
export const selectionCells = (db: Db, profileId: number): SelectionCell[] =>
  all<SelectionCell>(
    db,
    `select environment_id as environmentId, coalesce(sum(outcome_reward >= 1), 0) as solved,
       sum(status <> 'void' and outcome_reward is not null) as attempts, sum(status = 'void') as void
     from profile_rollout where profile_id = ? group by environment_id`,
    profileId,
  );

/** Name of a checkpoint by its row. */
export const checkpointNames = (db: Db, ids: readonly number[]): Map<number, string> =>
  new Map(
    all<{ id: number; name: string }>(
      db,
      "select id, name from checkpoint where id in (select value from json_each(?))",
      JSON.stringify(ids),
    ).map((row) => [row.id, row.name]),
  );
