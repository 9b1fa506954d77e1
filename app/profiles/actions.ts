"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { atPlace } from "@/app/at-place";
import { getDb } from "@/db/client";
import { PLACES } from "@/lib/jobs/place/places";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { CATCH_POLICY, policySpec, roleSpec, UnknownRole } from "@/lib/profile/roles/registry";
import { PRESET_NAMES, PROFILE_MODES } from "@/lib/profile/settings";

const wanted = z.object({
  /** Not asked in catch trials, which have a policy of their own. */
  policy: z.string().min(1).max(300),
  mode: z.enum(PROFILE_MODES),
  environments: z.number().int().min(1, "at least one").max(100_000, "at most 100,000"),
  rollouts: z.number().int().min(1, "at least one").max(1000, "at most 1,000"),
  seed: z.number().int().min(0, "a whole number from 0 on").max(Number.MAX_SAFE_INTEGER),
  /** As `roleSpec` takes them: "rules", "expert", "model:NAME". */
  localizer: z.string().min(1).max(300).default("rules"),
  alongside: z.array(z.string().min(1).max(300)).max(8).default([]),
  teacher: z.string().min(1).max(300).default("expert"),
  preset: z.enum(PRESET_NAMES).nullable().default(null),
  /** Where the rollouts are made. */
  place: z.enum(PLACES).default("local"),
});

/** Queues a profiling run over the first environments of the tiny suite. */
export async function startProfileAction(
  input: z.input<typeof wanted>,
): Promise<ActionResult<{ profileId: number; jobId: number }>> {
  return act(wanted, input, ({ policy, mode, environments, rollouts, seed, place, ...roles }, actor) => {
    try {
      return atPlace(() =>
        enqueueProfile(getDb(), {
          place,
          settings: {
            mode,
            environments: { suite: "tiny", count: environments },
            rollouts,
            seed,
            policy: policySpec(mode === "catch" ? CATCH_POLICY : policy),
            localizer: roleSpec(roles.localizer),
            alongside: roles.alongside.map(roleSpec),
            teacher: roleSpec(roles.teacher),
            preset: mode === "catch" ? null : roles.preset,
          },
          requestedBy: actor.name,
        }),
      );
    } catch (error) {
      if (error instanceof UnknownRole) throw new ActionRefused(error.message);
      // What the settings ask of several values together is not in the schema of the form.
      if (error instanceof z.ZodError) throw new ActionRefused(error.issues.map((issue) => issue.message).join("; "));
      throw error;
    }
  });
}
