import type { Json, Trajectory } from "@/lib/trajectory/types";
import { nameAt, numberAt } from "@/lib/trajectory/value";

/** Return code of `timeout` when it had to stop a command. */
const TIMED_OUT = 124;

/**
 * Puts an agent's timing.json ([{step, llm_s, bash_s, return_code, cmd}]) on the steps it is about: `step` counts
 * model replies from 1, and several entries of one reply are its calls in order. A step's duration is the time its
 * command ran.
 */
export function applyTiming(trajectory: Trajectory, timing: Json[]): void {
  const free = new Map<number, number[]>();
  trajectory.steps.forEach((step, index) => {
    if (step.turn === null) return;
    const indices = free.get(step.turn);
    if (indices) indices.push(index);
    else free.set(step.turn, [index]);
  });
  let lost = 0;
  for (const entry of timing) {
    const turn = (numberAt(entry, "step") ?? 0) - 1;
    const step = trajectory.steps[free.get(turn)?.[0] ?? -1];
    const command = nameAt(entry, "cmd");
    if (
      !step ||
      (command !== null &&
        step.call?.command != null &&
        !step.call.command.startsWith(command.slice(0, 40)) &&
        !command.startsWith(step.call.command.slice(0, 40)))
    ) {
      lost += 1;
      continue;
    }
    free.get(turn)?.shift();
    const seconds = numberAt(entry, "bash_s");
    if (seconds !== null) step.durationMs = Math.round(seconds * 1000);
    const code = numberAt(entry, "return_code");
    const last = step.observations[step.observations.length - 1];
    if (last && code !== null) {
      last.exitCode ??= code;
      if (code === TIMED_OUT) last.timedOut = true;
    }
    step.source.push(entry);
  }
  if (lost > 0)
    trajectory.warnings.push({
      path: "agent/timing.json",
      message: `${lost} of ${timing.length} timings belong to no step and were left out`,
    });
}
