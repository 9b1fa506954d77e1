import type { Step } from "@/lib/trajectory/types";

/** Stands where a rejected step was, for readers that do not know our hints. */
export const REJECTED_TEXT = "A proposed step was stopped before it ran.";

/**
 * An entry that holds a step which a localizer stopped. An export writes it as a note of the system without call and
 * result, so that no reader takes it for something that was done; the step itself is in the hint beside it.
 */
export const isRejected = (entry: readonly Step[]): boolean => entry[0]?.note === "rejected";
