import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { Step } from "@/lib/trajectory/types";
import { localize } from "./index";

const EMPTY: Step = {
  kind: "agent",
  turn: null,
  actor: null,
  thinking: null,
  message: null,
  call: null,
  observations: [],
  time: null,
  durationMs: null,
  usage: null,
  note: null,
  copied: false,
  source: [],
};

/** A step that runs a command. Exit code null: the file does not say. Output null: nothing came back. */
export function run(
  command: string,
  output: string | null = "",
  exitCode: number | null = 0,
  more: Partial<Step> = {},
): Step {
  const observation = {
    callId: null,
    content: output,
    output: null,
    full: null,
    exitCode,
    timedOut: false,
    error: null,
  };
  return {
    ...EMPTY,
    call: { id: null, name: "bash", arguments: { command }, command },
    observations: output === null ? [] : [observation],
    ...more,
  };
}

/** A command that ran into its time limit. */
export function expired(command: string): Step {
  const step = run(command, "", 124);
  return { ...step, observations: step.observations.map((o) => ({ ...o, timedOut: true })) };
}

/** A step without a call. */
export const say = (message: string | null, more: Partial<Step> = {}): Step => ({ ...EMPTY, message, ...more });
export const user = (message: string, more: Partial<Step> = {}): Step => ({ ...EMPTY, kind: "user", message, ...more });
export const system = (message: string): Step => ({ ...EMPTY, kind: "system", message });

/** Indices of the steps that carry this misbehavior. */
export function flagged(slug: MisbehaviorSlug, steps: Step[]): number[] {
  return localize(steps)
    .filter((f) => f.misbehavior === slug)
    .map((f) => f.step);
}

/** One row of a detector's table: the steps it flags, [] for a near miss. */
export type Case = [name: string, steps: Step[], expected: number[]];
