"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { enqueueLocalize, NothingToLocalize } from "@/lib/jobs/localizeJob";
import { UnknownRole } from "@/lib/profile/roles/unknown";

const wanted = z.object({
  model: z.string().min(1).max(300),
  which: z.discriminatedUnion("by", [
    z.object({ by: z.literal("all") }),
    z.object({ by: z.literal("policy"), policy: z.string().min(1, "name a policy").max(300) }),
    z.object({ by: z.literal("ids"), ids: z.array(z.number().int().positive()).min(1, "name a trajectory").max(1000) }),
  ]),
  sample: z.number().int().min(1, "at least one").nullable(),
  seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
});

/** Queues the localization of stored trajectories by a model of the settings. */
export async function startLocalizeAction(
  input: z.input<typeof wanted>,
): Promise<ActionResult<{ jobId: number; trajectories: number; steps: number }>> {
  return act(wanted, input, ({ model, which, sample, seed }, actor) => {
    try {
      const scope =
        which.by === "all"
          ? { all: true as const }
          : which.by === "policy"
            ? { model: which.policy }
            : { ids: which.ids };
      const localizer = { use: "model", options: { model } };
      return enqueueLocalize(getDb(), { scope, localizer, sample, seed, requestedBy: actor.name });
    } catch (error) {
      if (error instanceof UnknownRole || error instanceof NothingToLocalize) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
