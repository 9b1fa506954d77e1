import {
  type FormatId,
  type Instant,
  type Json,
  NO_USAGE,
  type Observation,
  type Step,
  type StepKind,
  type ToolCall,
  type Trajectory,
  type Usage,
} from "./types";

/** A trajectory that says nothing yet. */
export function emptyTrajectory(format: FormatId): Trajectory {
  return {
    key: "",
    parentKey: null,
    parentStep: null,
    format,
    formatVersion: null,
    name: null,
    task: null,
    dataset: null,
    model: null,
    agent: null,
    agentVersion: null,
    attempt: null,
    outcome: "unknown",
    reward: null,
    rewards: {},
    exitStatus: null,
    exception: null,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    usage: { ...NO_USAGE },
    steps: [],
    labels: [],
    artifacts: [],
    warnings: [],
    source: {},
  };
}

/** A step that says nothing yet. */
export function emptyStep(kind: StepKind, turn: number | null): Step {
  return {
    kind,
    turn,
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
}

export function observation(content: string | null, callId: string | null = null): Observation {
  return { callId, content, output: null, full: null, exitCode: null, timedOut: false, error: null };
}

export interface Turn {
  turn: number;
  actor?: string | null;
  thinking: string | null;
  message: string | null;
  calls: ToolCall[];
  time?: Instant | null;
  usage?: Usage | null;
  source: Json[];
}

/** One model reply as steps: one a tool call, at least one. Text, usage and source stay on the first. */
export function turnSteps(reply: Turn): Step[] {
  const first = emptyStep("agent", reply.turn);
  first.actor = reply.actor ?? null;
  first.thinking = reply.thinking;
  first.message = reply.message;
  first.call = reply.calls[0] ?? null;
  first.time = reply.time ?? null;
  first.usage = reply.usage ?? null;
  first.source = reply.source;
  const steps = [first];
  for (let at = 1; at < reply.calls.length; at += 1) {
    const step = emptyStep("agent", reply.turn);
    step.actor = first.actor;
    step.call = reply.calls[at] ?? null;
    step.time = first.time;
    steps.push(step);
  }
  return steps;
}

/**
 * Where in `steps` (the steps of one turn) an observation belongs: the call it names, else the next call that has
 * none when there is one observation a call, else the last step.
 */
export function placeObservations(steps: Step[], observations: Observation[], sources: (Json | null)[] = []): void {
  const last = steps[steps.length - 1];
  if (!last) return;
  const byOrder = observations.length === steps.length;
  observations.forEach((item, at) => {
    const named =
      item.callId === null
        ? undefined
        : (steps.find((step) => step.call?.id === item.callId && step.observations.length === 0) ??
          steps.find((step) => step.call?.id === item.callId));
    const next = byOrder ? steps[at] : undefined;
    const target = named ?? next ?? last;
    target.observations.push(item);
    const source = sources[at];
    if (source !== null && source !== undefined) target.source.push(source);
  });
}
