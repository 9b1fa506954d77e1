"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { trainingRow } from "@/db/queries/trainings";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { policySpec, UnknownRole } from "@/lib/profile/roles/registry";
import { candidatesOf } from "./candidates";

const wanted = z.object({
  run: z.number().int().positive(),
  window: z.number().int().min(1).max(1000),
  environments: z.number().int().min(2).max(10_000),
});

/** Queues a run on the selection set for each candidate that has none, or whose last one did not end well. */
export async function evaluateCandidatesAction(
  input: z.input<typeof wanted>,
): Promise<ActionResult<{ jobs: number[] }>> {
  return act(wanted, input, ({ run, window, environments }, actor) => {
    const db = getDb();
    if (!trainingRow(db, run)) throw new ActionRefused(`There is no training ${run}.`);
    const open = candidatesOf(db, run, window, environments).filter(
      (c) => c.run === null || c.run.jobStatus === "failed" || c.run.jobStatus === "cancelled",
    );
    if (open.length === 0) throw new ActionRefused("Every candidate has run on this set, or is about to.");
    try {
      const jobs = db.$client
        .transaction(() =>
          open.map(
            (c) =>
              enqueueProfile(db, {
                name: `Selection set: ${c.name}, ${environments} held-out environments`,
                settings: {
                  mode: "plain",
                  environments: { suite: "tiny", part: "heldout", count: environments },
                  rollouts: 1,
                  policy: policySpec(c.name),
                  teacher: null,
                  seed: 1,
                },
                requestedBy: actor.name,
              }).jobId,
          ),
        )
        .immediate();
      return { jobs };
    } catch (error) {
      if (error instanceof UnknownRole) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
