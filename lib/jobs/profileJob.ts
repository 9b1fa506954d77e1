import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { withPreset } from "@/lib/profile/presets";
import { resolvedSpec } from "@/lib/profile/roles/models";
import { checkRoles, policyMaker } from "@/lib/profile/roles/registry";
import { type GivenSettings, type ProfileSettings, profileSettings } from "@/lib/profile/settings";
import { plural } from "@/lib/text/format";
import type { Place } from "./place/places";
import { checkPlace, profileRefusal } from "./place/refusal";
import { enqueue } from "./queue";

export interface NewProfile {
  name?: string;
  studyId?: number;
  settings: GivenSettings;
  /** Where it runs; default: on this machine. */
  place?: Place;
  requestedBy: string;
}

/** Settings with what the model settings decide now: a profile says how it was made, whatever they become later. */
const resolved = (s: ProfileSettings): ProfileSettings => ({
  ...s,
  policy: resolvedSpec(s.policy, "policy"),
  localizer: s.localizer && resolvedSpec(s.localizer, "localizer"),
  alongside: s.alongside.map((one) => resolvedSpec(one, "localizer")),
  teacher: s.mode === "profile" && s.teacher ? resolvedSpec(s.teacher, "teacher") : s.teacher,
});

/** Queues a profiling run: its job and its row, in one transaction. Throws UnknownRole, PlaceRefused and ZodError on settings that cannot be run. */
export function enqueueProfile(
  db: Db,
  { name, studyId = 1, settings: given, place = "local", requestedBy }: NewProfile,
): { profileId: number; jobId: number } {
  const settings = resolved(profileSettings.parse(withPreset(given)));
  checkRoles(settings);
  checkPlace(place, profileRefusal(settings));
  const { environments, policy, mode } = settings;
  const many = "ids" in environments ? environments.ids.length : environments.count;
  const what = { profile: "Profile", plain: "Rollouts of", catch: "Catch trials of" }[mode];
  const title =
    name ??
    `${what} ${String(policy.options.name ?? policy.options.model ?? policy.use)}, ${plural(many, "environment")} x ${settings.rollouts}`;
  return db.$client
    .transaction(() => {
      const checkpointId = policyMaker(policy).checkpoint(db, policy);
      const jobId = enqueue(db, { kind: "profile", title, params: settings, place, requestedBy });
      const profileId = Number(
        statement(
          db,
          "insert into profile (study_id, job_id, checkpoint_id, name, mode, settings, seed) values (?, ?, ?, ?, ?, ?, ?)",
        ).run(studyId, jobId, checkpointId, title, mode, JSON.stringify(settings), settings.seed).lastInsertRowid,
      );
      return { profileId, jobId };
    })
    .immediate();
}
