import type { Json } from "@/lib/trajectory/types";
import { arrayAt, isArray, isObject, nameAt, objectAt } from "@/lib/trajectory/value";

/** What a JSON value that is no trajectory seems to be, in words for the list of skipped files. */
export function notTrajectory(value: Json): string {
  if (isArray(value)) return value.length === 0 ? "an empty JSON list" : "no trajectory: a JSON list of something else";
  if (!isObject(value)) return "no trajectory: a single JSON value";
  const has = (...names: string[]) => names.every((name) => name in value);
  if (has("n_total_trials") || has("job_name", "agents")) return "about a whole Harbor job, no trajectory";
  if (nameAt(value, "trial_name") !== null && has("agent")) return "a Harbor trial's configuration, no trajectory";
  if (arrayAt(value, "codes") && has("taxonomy_id")) return "a taxonomy of error types, no trajectory";
  if (has("run_id", "dataset_name")) return "about a whole Terminal-Bench run, no trajectory";
  if (objectAt(value, "results") && objectAt(objectAt(value, "results"), "summary"))
    return "a test report (CTRF), no trajectory";
  if (has("agent", "workspace", "max_iterations"))
    return "an OpenHands conversation's state without its events, no trajectory";
  const keys = Object.keys(value);
  return keys.length === 0
    ? "an empty JSON object"
    : `no trajectory: a JSON object with ${keys
        .slice(0, 4)
        .map((key) => JSON.stringify(key.slice(0, 40)))
        .join(", ")}`;
}
