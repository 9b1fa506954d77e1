import "server-only";
import type { Db } from "@/db/client";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { all } from "./prepared";

/** Error steps of a scope and all steps of a checkpoint. */
export interface CheckpointRate {
  /** null: trajectories that name no model. */
  model: string | null;
  /** null: it has error steps, and none of them was looked at under the version. */
  errorSteps: number | null;
  steps: number;
  /** Name of the training it is of, and after how many steps; null: of none that is known here. */
  training: string | null;
  trainingStep: number | null;
}

/** An error type by checkpoint, in the order in which checkpoints came into the index. */
export function rateByCheckpoint(db: Db, type: { id: number; taxonomyId: number }): CheckpointRate[] {
  const { named, unlabelled } = scopesOf(type.taxonomyId);
  return all<CheckpointRate>(
    db,
    `select c.name as model, case when k.e > 0 or ifnull(k.looked, 0) > 0 or ifnull(k.everything, 0) = 0 then ifnull(k.e, 0) end as errorSteps,
       s.n as steps, r.name as training, case when r.id is not null then c.training_step end as trainingStep
     from (select checkpoint_id, sum(steps) as n from corpus_count group by 1 having n > 0) s
       left join (select checkpoint_id, sum(error_steps * (scope = ?)) as e, sum(error_steps * (scope in (?, ?))) as looked,
           sum(error_steps * (scope = ?)) as everything
         from type_count where scope in (?, ?, ?, ?) group by 1) k on k.checkpoint_id = s.checkpoint_id
       left join checkpoint c on c.id = s.checkpoint_id
       left join training_run r on r.id = c.training_run_id order by s.checkpoint_id = 0, s.checkpoint_id`,
    ...[type.id, named, unlabelled, ALL_ERRORS],
    ...[type.id, named, unlabelled, ALL_ERRORS],
  );
}
