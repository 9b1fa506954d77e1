import { Option } from "commander";
import { PLACES, type Place } from "@/lib/jobs/place/places";
import { checkPlace, PlaceRefused } from "@/lib/jobs/place/refusal";
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
  return placed(() => {
    checkPlace(on, null);
    return on;
  });
}

/** Queues; what its place refuses becomes a UsageError. */
export function placed<T>(enqueue: () => T): T {
  try {
    return enqueue();
  } catch (error) {
    if (error instanceof PlaceRefused) throw new UsageError(error.message);
    throw error;
  }
}
