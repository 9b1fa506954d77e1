import "server-only";
import { PlaceRefused } from "@/lib/jobs/place/refusal";
import { ActionRefused } from "./action";

/** Queues; what the place of the job refuses is said at the field `place`. */
export function atPlace<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PlaceRefused) throw new ActionRefused(error.message, "place");
    throw error;
  }
}
