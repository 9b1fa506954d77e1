import { Option } from "commander";
import { PLACES, type Place } from "@/lib/jobs/place/places";
import { readClusters } from "@/lib/jobs/place/settings";
import { UsageError } from "./output";

export interface OnOption {
  on: Place;
}

/** --on: where the items of a job are performed. */
export const onOption = (): Option =>
  new Option("--on <place>", "where it runs: on this machine, or on the Slurm of the settings")
    .choices(PLACES)
    .default("local");

/** The place that is meant. Throws UsageError where it is not set up. */
export function placeOf({ on }: OnOption): Place {
  if (on === "slurm" && readClusters().slurm === null)
    throw new UsageError(
      "no Slurm is set up here: the page Settings, Clusters does it, or clusters.json in MISSTEP_HOME",
    );
  return on;
}
