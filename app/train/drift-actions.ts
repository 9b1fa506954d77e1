"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { enqueueDrift, NoDrift } from "@/lib/jobs/driftJob";
import { roleSpec, UnknownRole } from "@/lib/profile/roles/registry";

const wanted = z.object({
  trainingId: z.number().int().positive(),
  judge: z.string().min(1).max(300),
  perStep: z.number({ error: "is no number" }).int().min(1).max(10_000),
});

/** Queues a second judge's verdicts on rollouts of a training. */
export async function driftAction(input: z.input<typeof wanted>): Promise<ActionResult<{ jobId: number }>> {
  return act(wanted, input, ({ judge, ...values }, actor) => {
    try {
      return enqueueDrift(getDb(), { ...values, judge: roleSpec(judge), requestedBy: actor.name });
    } catch (error) {
      if (error instanceof NoDrift || error instanceof UnknownRole) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
