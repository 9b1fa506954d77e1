import "server-only";
import type { ProfileSettings } from "@/lib/profile/settings";
import type { TrainSettings } from "@/lib/train/settings";
import type { Place } from "./places";
import { ClusterSettingsError, readClusters } from "./settings";

/** A job cannot run where it was asked to: why, and what to do. */
export class PlaceRefused extends Error {
  override name = "PlaceRefused";
}

/** Roles of a profile that models play: they write to the ledger of the index and read keys, and stay where both are. */
export function profileRefusal({ policy, localizer, alongside, teacher, mode }: ProfileSettings): string | null {
  const asked = [
    ...(policy.use === "chat" ? ["policy"] : []),
    ...(localizer?.use === "model" ? ["localizer"] : []),
    ...(alongside.some(({ use }) => use === "model") ? ["localizer alongside"] : []),
    ...(mode === "profile" && teacher?.use === "model" ? ["teacher"] : []),
  ];
  return asked.length === 0 ? null : `a model plays the ${asked.join(", the ")}`;
}

/** The same of a training: judges and writers of rubrics. */
export function trainingRefusal({ reward }: TrainSettings): string | null {
  const asked = [
    ...("judge" in reward && reward.judge.use === "model" ? ["judge"] : []),
    ...("writer" in reward && reward.writer.use === "model" ? ["rubric writer"] : []),
  ];
  return asked.length === 0 ? null : `a model plays the ${asked.join(" and the ")}`;
}

/** The sentence for what `profileRefusal` and `trainingRefusal` find. */
export const sayRefusal = (why: string): string =>
  `this job cannot run on Slurm: ${why}, and keys and the ledger of calls stay on this machine; run it locally`;

/** Throws PlaceRefused where the place is not set up, or cannot be used for `why`. */
export function checkPlace(place: Place, why: string | null): void {
  if (place !== "slurm") return;
  let slurm: unknown;
  try {
    slurm = readClusters().slurm;
  } catch (error) {
    if (error instanceof ClusterSettingsError) throw new PlaceRefused(error.message);
    throw error;
  }
  if (slurm === null)
    throw new PlaceRefused(
      "no Slurm is set up here: the page Settings, Clusters does it, or clusters.json in MISSTEP_HOME",
    );
  if (why !== null) throw new PlaceRefused(sayRefusal(why));
}

/** Whether Slurm can be chosen; not with a file that cannot be read, which the settings page says. */
export function hasSlurm(): boolean {
  try {
    return readClusters().slurm !== null;
  } catch (error) {
    if (error instanceof ClusterSettingsError) return false;
    throw error;
  }
}
