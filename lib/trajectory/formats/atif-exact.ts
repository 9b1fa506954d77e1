import { emptyStep, observation } from "@/lib/trajectory/build";
import { nextTurn } from "@/lib/trajectory/groups";
import { applyHint, applyMeta, placeExact } from "@/lib/trajectory/hints";
import type { Json, JsonObject, Step, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, instantOf, isObject, nameAt, objectAt, stringAt } from "@/lib/trajectory/value";
import { agentSteps } from "./atif-step";

/** Reads an ATIF document that we exported: taken at its word, with its hints. */
export function readExactAtif(trajectory: Trajectory, steps: Json[], hints: JsonObject): Trajectory {
  for (const field of ["name", "agent", "agentVersion", "model"] as const) trajectory[field] = null;
  for (const field of Object.keys(trajectory.usage) as (keyof Trajectory["usage"])[]) trajectory.usage[field] = null;
  applyMeta(trajectory, hints);
  let turn = 0;
  for (const [at, raw] of steps.entries()) {
    if (!isObject(raw)) {
      trajectory.warnings.push({ path: `/steps/${at}`, message: "a step is no object; left out" });
      continue;
    }
    const read = readAtifEntry(raw, turn);
    turn = read.next;
    trajectory.steps.push(...read.steps);
  }
  return trajectory;
}

/** Steps of one exported ATIF step. `next` is the turn number that follows. */
export function readAtifEntry(raw: JsonObject, turn: number): { steps: Step[]; next: number } {
  const hint = objectAt(objectAt(raw, "extra"), "misstep");
  const agent = raw.source === "agent";
  const steps = agent ? agentSteps(raw, turn) : [emptyStep(raw.source === "system" ? "system" : "user", null)];
  for (const step of steps) {
    step.copied = raw.is_copied_context === true;
    step.time = instantOf(raw.timestamp);
  }
  const [first] = steps;
  if (first && !agent) {
    first.message = stringAt(raw, "message");
    first.source = [raw];
  }
  const results = arrayAt(objectAt(raw, "observation"), "results") ?? [];
  placeExact(
    steps,
    results.map((result) => observation(stringAt(result, "content"), nameAt(result, "source_call_id"))),
    hint,
  );
  const done = applyHint(steps, hint);
  return { steps: done, next: nextTurn(done, turn) };
}
