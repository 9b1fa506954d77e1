import type { Json } from "@/lib/trajectory/types";
import { isObject } from "@/lib/trajectory/value";

/** An OpenHands V0 event: an action or an observation. */
export function isEventV0(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  return (
    (typeof value.action === "string" && ("args" in value || "source" in value)) ||
    (typeof value.observation === "string" && ("content" in value || "extras" in value))
  );
}

/** An OpenHands V1 event. */
export function isEventV1(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    typeof value.kind === "string" &&
    /Event$|^Condensation|^UserRejectObservation$/.test(value.kind) &&
    ("source" in value || "timestamp" in value)
  );
}

/** Whether a line of a file is one entry of a trajectory rather than a whole one. */
export function isEvent(value: Json): boolean {
  if (isEventV0(value) || isEventV1(value)) return true;
  return isObject(value) && typeof value.role === "string" && "content" in value && !("messages" in value);
}
