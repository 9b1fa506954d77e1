import "server-only";
import type { Db } from "@/db/client";
import { all } from "./prepared";

/** Error steps of a scope and all steps of a checkpoint. */
export interface CheckpointRate {
  /** null: trajectories that name no model. */
  model: string | null;
  errorSteps: number;
  steps: number;
}

/** A scope (error type id or pseudo type) by checkpoint, in the order in which checkpoints came into the index. */
export const rateByCheckpoint = (db: Db, scope: number): CheckpointRate[] =>
  all<CheckpointRate>(
    db,
    `select c.name as model, ifnull(k.e, 0) as errorSteps, s.n as steps
     from (select checkpoint_id, sum(steps) as n from corpus_count group by 1 having n > 0) s
       left join (select checkpoint_id, sum(error_steps) as e from type_count where scope = ? group by 1) k on k.checkpoint_id = s.checkpoint_id
       left join checkpoint c on c.id = s.checkpoint_id order by s.checkpoint_id = 0, s.checkpoint_id`,
    scope,
  );
