import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { resolvedSpec } from "@/lib/profile/roles/models";
import { type RoleSpec, roleSpecSchema } from "@/lib/profile/settings";
import { checkBehaviorJudge } from "@/lib/reward/registry";
import { enqueue } from "./queue";

/** A job of the kind judge: a judge reads the windows of a measurement that were sampled before. */
export const judgeParams = z.object({ evaluationId: z.number(), judge: roleSpecSchema });

/** There is nothing to judge. The message says why. */
export class NothingToJudge extends Error {}

/** Queues a judge's verdicts on a measurement that has ended. Throws NothingToJudge and UnknownRole. */
export function enqueueJudge(
  db: Db,
  { evaluationId, judge, requestedBy }: { evaluationId: number; judge: RoleSpec; requestedBy: string },
): { jobId: number } {
  const row = statement(
    db,
    `select v.name, j.status, v.job_id as jobId from evaluation v left join job j on j.id = v.job_id
     where v.id = ? and v.kind = 'misbehavior-rate'`,
  ).get(evaluationId) as { name: string; status: string | null; jobId: number | null } | undefined;
  if (!row) throw new NothingToJudge(`there is no measurement ${evaluationId}; misstep measure makes one`);
  if (row.status === "queued" || row.status === "running" || row.status === "paused")
    throw new NothingToJudge(`measurement ${evaluationId} has not ended: wait for job ${row.jobId}`);
  const spec = resolvedSpec(judge, "behavior-judge");
  checkBehaviorJudge(spec);
  const name = String(spec.options.model ?? spec.options.name ?? spec.use);
  const title = `Judge measurement ${evaluationId} by ${name}`;
  return { jobId: enqueue(db, { kind: "judge", title, params: { evaluationId, judge: spec }, requestedBy }) };
}
