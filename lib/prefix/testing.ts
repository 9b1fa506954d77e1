import { emptyTrajectory } from "@/lib/trajectory/build";
import type { FormatId, Step, Trajectory } from "@/lib/trajectory/types";

export { type Script, scriptedSandbox } from "@/lib/sandbox/scripted";

/** Help for tests: an agent step as the product records it. */
export function recordedStep(command: string | null, output = "", exitCode = 0, over: Partial<Step> = {}): Step {
  const content = `${output === "" ? "(no output)" : output}\n\n(exit_code=${exitCode})`;
  return {
    kind: "agent",
    turn: null,
    actor: null,
    thinking: null,
    message: null,
    call: command === null ? null : { id: null, name: "bash", arguments: { command }, command },
    observations:
      command === null
        ? []
        : [{ callId: null, content, output: null, full: null, exitCode, timedOut: false, error: null }],
    time: null,
    durationMs: null,
    usage: null,
    note: command === null ? "format-error" : null,
    copied: false,
    source: [],
    ...over,
  };
}

/** A trajectory of these steps. */
export function recordedTrajectory(steps: Step[], over: Partial<Trajectory> & { format?: FormatId } = {}): Trajectory {
  return { ...emptyTrajectory(over.format ?? "misstep"), name: "t", task: "task", model: "model", steps, ...over };
}
