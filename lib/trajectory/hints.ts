import { emptyStep, observation, placeObservations } from "./build";
import { pythonJson } from "./python-json";
import type { HumanLabel, Json, JsonObject, Observation, Step, ToolCall, Trajectory } from "./types";
import { arrayAt, isArray, isObject, objectAt } from "./value";

/**
 * What an export cannot say in its own format goes into a compact hint beside each entry: only the fields that would
 * be read differently. It is found by reading the exported entry back and comparing, so nothing else need be known
 * about the format. `null` in place of a step's hint: nothing differs.
 */
export interface EntryHint {
  /** One a step; absent when none differs. An empty list: the entry stands for no step. */
  steps?: (JsonObject | null)[];
  /** Observations a step, in order, when they would be placed otherwise. */
  counts?: number[];
}

const FIELDS = [
  "kind",
  "turn",
  "actor",
  "thinking",
  "message",
  "note",
  "copied",
  "durationMs",
  "time",
  "usage",
] as const;
const CALL = ["id", "name", "command"] as const;
const OBSERVATION = ["callId", "content", "output", "full", "exitCode", "timedOut", "error"] as const;

/** Reads observations into steps as the hint counts them, or by the rule every reader follows. */
export function placeExact(steps: Step[], observations: Observation[], hint: JsonObject | null): void {
  const counts = arrayAt(hint, "counts");
  if (!counts) {
    placeObservations(steps, observations);
    return;
  }
  let from = 0;
  steps.forEach((step, at) => {
    const count = Number(counts[at] ?? 0);
    step.observations.push(...observations.slice(from, from + count));
    from += count;
  });
}

/** Applies a hint to the steps read from its entry. */
export function applyHint(steps: Step[], hint: JsonObject | null): Step[] {
  const hints = arrayAt(hint, "steps");
  if (!hints) return steps;
  return hints.map((raw, at) => {
    const step = steps[at] ?? emptyStep("user", null);
    if (isObject(raw)) applyStep(step, raw);
    return step;
  });
}

function applyStep(step: Step, hint: JsonObject): void {
  const target = step as unknown as Record<string, unknown>;
  for (const field of FIELDS) if (field in hint) target[field] = hint[field];
  if (hint.call === null) step.call = null;
  const call = objectAt(hint, "call");
  if (call) {
    step.call ??= { id: null, name: "", arguments: null, command: null };
    const into = step.call as unknown as Record<string, unknown>;
    for (const field of CALL) if (field in call) into[field] = call[field];
    if ("arguments" in call) step.call.arguments = call.arguments ?? null;
    else if (call.form === "json" && typeof step.call.arguments === "string")
      step.call.arguments = JSON.parse(step.call.arguments) as Json;
    else if (call.form === "text") step.call.arguments = JSON.stringify(step.call.arguments);
    else if (call.form === "python" || call.form === "python-utf8")
      step.call.arguments = pythonJson(step.call.arguments, call.form === "python");
  }
  for (const [at, raw] of (arrayAt(hint, "observations") ?? []).entries()) {
    if (!isObject(raw)) continue;
    step.observations[at] ??= observation(null);
    const into = step.observations[at] as unknown as Record<string, unknown>;
    for (const field of OBSERVATION) if (field in raw) into[field] = raw[field];
  }
}

/** The hint that turns `read` (what an entry gives without it) into `wanted`; null when they agree. */
export function hintFor(read: Step[], wanted: readonly Step[], counts: number[] | null): EntryHint | null {
  const steps = wanted.map((step, at) => stepHint(read[at] ?? emptyStep("user", null), step));
  const differ = read.length !== wanted.length || steps.some((hint) => hint !== null);
  if (!differ && !counts) return null;
  return { ...(differ ? { steps } : {}), ...(counts ? { counts } : {}) };
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));
}

function stepHint(read: Step, wanted: Step): JsonObject | null {
  const hint: JsonObject = {};
  for (const field of FIELDS) if (!same(read[field], wanted[field])) hint[field] = wanted[field] as Json;
  const call = callHint(read.call, wanted.call);
  if (call !== undefined) hint.call = call;
  const observations = wanted.observations.map((item, at): JsonObject | null => {
    const from = read.observations[at] ?? observation(null);
    const own: JsonObject = {};
    for (const field of OBSERVATION) if (!same(from[field], item[field])) own[field] = item[field];
    return Object.keys(own).length > 0 ? own : null;
  });
  if (observations.some((item) => item !== null) || read.observations.length < observations.length)
    hint.observations = observations.map((item) => item ?? {});
  return Object.keys(hint).length > 0 ? hint : null;
}

/** undefined: no difference. */
function callHint(read: ToolCall | null, wanted: ToolCall | null): JsonObject | null | undefined {
  if (wanted === null) return read === null ? undefined : null;
  const from = read ?? { id: null, name: "", arguments: null, command: null };
  const hint: JsonObject = {};
  for (const field of CALL) if (from[field] !== wanted[field]) hint[field] = wanted[field];
  if (!same(from.arguments, wanted.arguments)) {
    const form = formOf(from.arguments, wanted.arguments);
    if (form) hint.form = form;
    else hint.arguments = wanted.arguments;
  }
  return Object.keys(hint).length > 0 || read === null ? hint : undefined;
}

/** How the wanted arguments are got from the exported ones without repeating them; null when they cannot be. */
function formOf(from: Json, wanted: Json): string | null {
  if (typeof from === "string" && typeof wanted !== "string") return JSON.stringify(wanted) === from ? "json" : null;
  if (typeof wanted !== "string" || typeof from === "string") return null;
  if (JSON.stringify(from) === wanted) return "text";
  if (pythonJson(from, true) === wanted) return "python";
  return pythonJson(from, false) === wanted ? "python-utf8" : null;
}

const META = [
  "formatVersion",
  "name",
  "task",
  "dataset",
  "model",
  "agent",
  "agentVersion",
  "attempt",
  "outcome",
  "reward",
  "rewards",
  "exitStatus",
  "exception",
  "startedAt",
  "finishedAt",
  "durationMs",
  "usage",
  "labels",
  "artifacts",
] as const;

/** What is known of a trajectory besides its steps, for the head of an export. Empty fields are left out. */
export function metaHint(trajectory: Trajectory): JsonObject {
  const hint: JsonObject = { version: 1, format: trajectory.format };
  if (trajectory.key !== "") hint.key = trajectory.key;
  if (trajectory.parentKey !== null)
    Object.assign(hint, { parentKey: trajectory.parentKey, parentStep: trajectory.parentStep });
  for (const field of META) {
    const value = trajectory[field] as unknown as Json;
    const empty =
      value === null ||
      (isArray(value) ? value.length === 0 : isObject(value) && Object.values(value).every((item) => item === null));
    if (!empty) hint[field] = value;
  }
  return hint;
}

/** Puts what metaHint kept back into a trajectory read from an export. */
export function applyMeta(trajectory: Trajectory, hint: JsonObject): void {
  const target = trajectory as unknown as Record<string, unknown>;
  for (const field of META) {
    const value = hint[field];
    if (field === "formatVersion" || value === undefined) continue;
    if (field === "usage") Object.assign(trajectory.usage, value);
    else if (field === "rewards") trajectory.rewards = isObject(value) ? (value as Record<string, number>) : {};
    else if (field === "labels") trajectory.labels = (isArray(value) ? value : []) as unknown as HumanLabel[];
    else if (field === "artifacts")
      trajectory.artifacts = isArray(value) ? (value as unknown as Trajectory["artifacts"]) : [];
    else target[field] = value;
  }
}
