import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { toolCall } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Step, Trajectory } from "@/lib/trajectory/types";
import {
  arrayAt,
  between,
  instantOf,
  isArray,
  isObject,
  nameAt,
  numberAt,
  objectAt,
  stringAt,
  usageOf,
  without,
} from "@/lib/trajectory/value";
import { readEventFiles } from "./event-files";
import { isEventV0 } from "./events";
import { type DocumentFormat, type FolderFormat, given } from "./module";

/** Old evaluation outputs keep pairs [action, observation] in place of single events. */
function flat(history: Json[]): Json[] {
  return history.flatMap((item) => (isArray(item) ? item : [item]));
}

function isEvent(value: Json | undefined): boolean {
  return (
    isEventV0(value) ||
    (isObject(value) &&
      (typeof value.action === "string" || (typeof value.observation === "string" && "content" in value)) &&
      !("response" in value) &&
      !("role" in value))
  );
}

/** OpenHands to 2025: a list of events, or an evaluation record whose `history` is one. */
export const openHandsV0: DocumentFormat = {
  id: "openhands-v0",
  detect: (value) => {
    const events = isArray(value) ? value : arrayAt(value, "history");
    if (!events || events.length === 0) return false;
    const first = flat(events.slice(0, 6));
    return first.every(isEvent) && first.some((event) => isObject(event) && typeof event.action === "string");
  },
  *parse(value, context) {
    const record = isObject(value) ? value : {};
    const trajectory = readEvents(flat(isArray(value) ? value : (arrayAt(value, "history") ?? [])));
    applyRecord(trajectory, record);
    trajectory.name ??= context.file.replace(/\.jsonl?$/i, "");
    yield given(trajectory);
  },
};

/** OpenHands to 2025: a session folder with one file an event. */
export const openHandsV0Folder: FolderFormat = {
  id: "openhands-v0",
  detect: (names) => names.some((name) => /^events\/\d+\.json$/.test(name)),
  async *parse(files, { name }) {
    const { events, problems, digest } = await readEventFiles(files, /^events\/(\d+)\.json$/);
    yield* problems;
    if (events.length === 0) return;
    const trajectory = readEvents(events);
    trajectory.name = name;
    yield given(trajectory, digest);
  },
};

function applyRecord(trajectory: Trajectory, record: JsonObject): void {
  const metrics = objectAt(record, "metrics");
  const report = objectAt(objectAt(record, "test_result"), "report") ?? objectAt(record, "report");
  trajectory.name = nameAt(record, "instance_id");
  trajectory.task = trajectory.name;
  trajectory.model = nameAt(objectAt(objectAt(record, "metadata"), "llm_config"), "model") ?? trajectory.model;
  trajectory.agent ??= nameAt(objectAt(record, "metadata"), "agent_class");
  const solved = report?.resolved ?? record.success;
  if (typeof solved === "boolean") trajectory.outcome = solved ? "passed" : "failed";
  const cost = numberAt(metrics, "accumulated_cost");
  if (cost) trajectory.usage.costUsd = cost;
  const wrong = stringAt(record, "error");
  if (wrong) trajectory.exception = { type: "error", message: wrong, traceback: null };
  const patch = stringAt(record, "git_patch") ?? stringAt(objectAt(record, "test_result"), "git_patch");
  if (patch) trajectory.artifacts.push({ name: "git_patch", text: patch });
  trajectory.source = without(record, "history");
}

function readEvents(events: Json[]): Trajectory {
  const trajectory = emptyTrajectory("openhands-v0");
  const byId = new Map<Json, Step>();
  let turn = -1;
  let response: string | null = null;
  let open: Step | null = null;
  events.forEach((event, at) => {
    if (!isObject(event)) {
      trajectory.warnings.push({ path: `/${at}`, message: "an event is no object; left out" });
      return;
    }
    if (typeof event.observation === "string") {
      const step = event.cause === undefined ? open : (byId.get(event.cause ?? null) ?? null);
      if (step) observe(step, event);
      else trajectory.steps.push(eventStep(event));
      open = null;
      return;
    }
    const metadata = objectAt(event, "tool_call_metadata");
    const model = objectAt(metadata, "model_response");
    const id = nameAt(model, "id");
    if (!isAgents(event)) {
      const step = saidStep(event, trajectory);
      trajectory.steps.push(step);
      if (event.id !== undefined) byId.set(event.id, step);
      return;
    }
    const parallel = id !== null && id === response;
    if (!parallel) turn += 1;
    response = id;
    const step = actionStep(event, turn, parallel, metadata, model);
    trajectory.model ??= nameAt(model, "model");
    const cost = numberAt(objectAt(event, "llm_metrics"), "accumulated_cost");
    if (cost) trajectory.usage.costUsd = cost;
    trajectory.steps.push(step);
    open = step;
    if (event.id !== undefined) byId.set(event.id, step);
  });
  return trajectory;
}

const HARNESS = new Set([
  "system",
  "recall",
  "change_agent_state",
  "condensation",
  "condensation_request",
  "null",
  "pause",
  "resume",
  "stop",
]);

/** Whether an action is the policy's own. Old files have no source: there only the first message is the user's. */
function isAgents(event: JsonObject): boolean {
  const action = nameAt(event, "action") ?? "null";
  if (HARNESS.has(action)) return false;
  const source = nameAt(event, "source");
  return source === null ? action !== "message" : source === "agent";
}

function saidStep(event: JsonObject, trajectory: Trajectory): Step {
  const action = nameAt(event, "action");
  const args = argsOf(event);
  if (action === "system") {
    trajectory.agent = nameAt(args, "agent_class");
    trajectory.agentVersion = nameAt(args, "openhands_version");
  }
  const step = emptyStep(action === "system" ? "system" : "user", null);
  step.message = stringAt(args, "content") ?? stringAt(args, "summary") ?? stringAt(event, "message");
  step.note = action === "condensation" ? "summary" : action === "system" || action === "message" ? null : "event";
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}

function eventStep(event: JsonObject): Step {
  const step = emptyStep("user", null);
  step.message = stringAt(event, "content") ?? stringAt(event, "message");
  step.note = "event";
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}

/** Arguments stand in `args`; in old evaluation outputs beside the action. */
function argsOf(event: JsonObject): JsonObject {
  return (
    objectAt(event, "args") ?? without(event, "action", "id", "timestamp", "source", "message", "cause", "action_risk")
  );
}

function actionStep(
  event: JsonObject,
  turn: number,
  parallel: boolean,
  metadata: JsonObject | null,
  model: JsonObject | null,
): Step {
  const step = emptyStep("agent", turn);
  const action = nameAt(event, "action") ?? "unknown";
  const args = argsOf(event);
  const said = objectAt(arrayAt(model, "choices")?.[0], "message");
  if (!parallel) {
    step.thinking = stringAt(said, "reasoning_content") ?? nameAt(args, "reasoning_content");
    const text = said ? stringAt(said, "content") : null;
    step.message =
      text ??
      (action === "message" ? stringAt(args, "content") : (nameAt(args, "thought") ?? nameAt(args, "final_thought")));
    step.usage = usageOf(objectAt(model, "usage"));
  }
  if (action !== "message") {
    const id = nameAt(metadata, "tool_call_id");
    const stated = (arrayAt(said, "tool_calls") ?? []).find((call) => nameAt(call, "id") === id);
    const call = toolCall(
      id,
      nameAt(metadata, "function_name") ?? action,
      objectAt(stated, "function")?.arguments ?? args,
    );
    step.call = { ...call, command: action === "run" ? stringAt(args, "command") : null };
  }
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}

function observe(step: Step, event: JsonObject): void {
  const extras = objectAt(event, "extras");
  const item = observation(stringAt(event, "content"), nameAt(objectAt(event, "tool_call_metadata"), "tool_call_id"));
  const code =
    numberAt(objectAt(extras, "metadata"), "exit_code") ??
    numberAt(extras, "exit_code") ??
    numberAt(event, "exit_code");
  item.exitCode = code === -1 ? null : code;
  if (event.observation === "error") item.error = item.content;
  if (/timed out after|has no new output after/.test(stringAt(objectAt(extras, "metadata"), "suffix") ?? ""))
    item.timedOut = true;
  step.observations.push(item);
  step.durationMs ??= between(step.time, instantOf(event.timestamp));
  step.source.push(event);
}
