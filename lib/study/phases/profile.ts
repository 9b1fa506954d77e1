import { enqueueProfile } from "@/lib/jobs/profileJob";
import { policySpec } from "@/lib/profile/roles/registry";
import { finish, jobOf, queueOnce, type RunPhase } from "@/lib/study/context";
import { HELDOUT } from "@/lib/study/design";

/** Rolls the base policy out under localizer and teacher (paper 3.2): in the profile part, and in the held-out part for unseen prefixes. */
const profilePart =
  (phase: "profile" | "heldout"): RunPhase =>
  async (context) => {
    const { db, state } = context;
    const { design, made } = state;
    if (!made[phase])
      queueOnce(context, () => {
        const { profileId } = enqueueProfile(db, {
          name: phase === "profile" ? `Profile of ${design.base}` : `Profile of ${design.base}, held-out part`,
          settings: {
            mode: "profile",
            environments:
              phase === "profile"
                ? { suite: "tiny", part: "profile", count: design.profile.environments }
                : { suite: "tiny", part: "heldout", count: design.profile.heldout, from: HELDOUT.profile },
            rollouts: design.profile.rollouts,
            policy: policySpec(design.base),
            localizer: { use: "rules", options: {} },
            teacher: { use: "expert", options: {} },
            seed: design.seed,
          },
          requestedBy: "study",
        });
        made[phase] = { profileId };
      });
    const { profileId } = made[phase] as { profileId: number };
    await finish(context, jobOf(db, "profile", profileId));
  };

export const profile = profilePart("profile");
export const heldout = profilePart("heldout");
