import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/**
 * Why a checkpoint whose weights are not on this machine cannot be used, and what to do. Pretraining makes another one, so
 * it is the advice only for names that this index says nothing of.
 */
export function absentCheckpoint(db: Db, name: string): string {
  const row = statement(
    db,
    `select c.kind, c.training_step as step, r.name as training from checkpoint c
     left join training_run r on r.id = c.training_run_id where c.name = ?`,
  ).get(name) as { kind: string; step: number | null; training: string | null } | undefined;
  if (!row)
    return `there is no checkpoint "${name}" on this machine, nor a policy of that name; "misstep pretrain --name ${name}" makes one`;
  if (row.training !== null && row.kind === "training")
    return `"${name}" is the policy of the training "${row.training}" while it runs; name one of the checkpoints it keeps`;
  if (row.training !== null)
    return `the weights of "${name}" are not on this machine: the training "${row.training}" made it${row.step === null ? "" : ` at step ${row.step}`}, and a study that is loaded brings only those it chose; copy its folder into "checkpoints" of the home folder, or repeat that training`;
  if (row.kind === "embedded")
    return `the weights of "${name}" are not on this machine; copy its folder into "checkpoints" of the home folder`;
  return `"${name}" is known here by its trajectories only: there are no weights to sample from`;
}
