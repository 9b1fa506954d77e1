import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** How a second judge and the one that pays saw the same rollouts of a step. */
export interface DriftRow {
  step: number;
  judge: string;
  bothYes: number;
  /** Yes by the paying judge alone. */
  payingYes: number;
  otherYes: number;
  bothNo: number;
  /** The second judge gave no verdict. */
  unjudged: number;
}

export const driftRows = (db: Db, trainingId: number): DriftRow[] =>
  statement(
    db,
    `select g.step, v.judge, sum(r.verdict = 'yes' and v.answer = 'yes') as bothYes,
       sum(r.verdict = 'yes' and v.answer = 'no') as payingYes, sum(r.verdict = 'no' and v.answer = 'yes') as otherYes,
       sum(r.verdict = 'no' and v.answer = 'no') as bothNo, sum(v.answer not in ('yes', 'no')) as unjudged
     from rollout_verdict v join rollout r on r.id = v.rollout_id join rollout_group g on g.id = r.group_id
     where g.training_run_id = ? and r.verdict in ('yes', 'no') group by v.judge, g.step order by v.judge, g.step`,
  ).all(trainingId) as DriftRow[];
