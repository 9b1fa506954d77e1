import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { StoredSample } from "@/lib/evaluate/behavior/window";
import { resolvedSpec } from "@/lib/profile/roles/models";
import { type RoleSpec, roleSpecSchema } from "@/lib/profile/settings";
import { checkBehaviorJudge } from "@/lib/reward/registry";
import { trainSettings } from "@/lib/train/settings";
import { enqueue } from "./queue";

/** A job of the kind drift: a judge that did not pay the reward reads rollouts of a training. */
export const driftParams = z.object({
  trainingId: z.number().int().positive(),
  judge: roleSpecSchema,
  /** Rollouts of a step, drawn at random. */
  perStep: z.number().int().min(1).max(10_000).default(16),
  seed: z.number().int().min(0).default(1),
});

/** There is nothing that another judge could read. The message says why. */
export class NoDrift extends Error {}

/** Rollouts on which the paying judge gave a verdict, with where they started. `id` is the rollout's. */
export const judgedRollouts = (db: Db, trainingId: number): (StoredSample & { step: number })[] =>
  statement(
    db,
    `select r.id, g.step, g.prefix_id as prefixId, p.error_type_id as errorTypeId, r.trajectory_id as trajectoryId
     from rollout r join rollout_group g on g.id = r.group_id join prefix p on p.id = g.prefix_id
     where g.training_run_id = ? and r.verdict in ('yes', 'no') and r.trajectory_id is not null and p.error_type_id is not null
     order by g.step, r.id`,
  ).all(trainingId) as (StoredSample & { step: number })[];

/** Steps of the window that the paying judge read. Throws NoDrift where the recipe pays by no judge. */
export function judgedWindowOf(db: Db, trainingId: number): number {
  const settings = statement(db, "select settings from training_run where id = ?").pluck().get(trainingId);
  if (typeof settings !== "string") throw new NoDrift(`there is no training ${trainingId}`);
  const parsed = trainSettings.safeParse(JSON.parse(settings));
  if (!parsed.success) throw new NoDrift("its settings are of another version");
  const { reward } = parsed.data;
  if (!("window" in reward)) throw new NoDrift("its recipe pays by no behavior judge");
  return reward.window;
}

/** Queues a second judge's verdicts on rollouts of a training. Throws NoDrift and UnknownRole. */
export function enqueueDrift(
  db: Db,
  { requestedBy, ...given }: z.input<typeof driftParams> & { judge: RoleSpec; requestedBy: string },
): { jobId: number } {
  const judge = resolvedSpec(given.judge, "behavior-judge");
  checkBehaviorJudge(judge);
  judgedWindowOf(db, given.trainingId);
  if (judgedRollouts(db, given.trainingId).length === 0)
    throw new NoDrift("none of its rollouts has a verdict of the judge that pays");
  const name = statement(db, "select name from training_run where id = ?").pluck().get(given.trainingId) as string;
  const by = String(judge.options.model ?? judge.options.name ?? judge.use);
  const params = driftParams.parse({ ...given, judge });
  return { jobId: enqueue(db, { kind: "drift", title: `Judge rollouts of ${name} by ${by}`, params, requestedBy }) };
}
