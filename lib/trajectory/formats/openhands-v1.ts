import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { decodeText } from "@/lib/trajectory/decode";
import { parseJson } from "@/lib/trajectory/json";
import { contentOf } from "@/lib/trajectory/text";
import { toolCall } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Observation, Step, Trajectory } from "@/lib/trajectory/types";
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
} from "@/lib/trajectory/value";
import { readEventFiles } from "./event-files";
import { isEventV1 } from "./events";
import { type DocumentFormat, type FolderFormat, given } from "./module";

/** OpenHands' software-agent-sdk: events in a list or on lines. */
export const openHandsV1: DocumentFormat = {
  id: "openhands-v1",
  detect: (value) => isArray(value) && value.length > 0 && value.slice(0, 5).every(isEventV1),
  *parse(value, context) {
    const trajectory = readEvents(isArray(value) ? value : []);
    trajectory.name = context.file.replace(/\.jsonl?$/i, "");
    yield given(trajectory);
  },
};

/** OpenHands' software-agent-sdk: a conversation folder, one file an event, with its state beside. */
export const openHandsV1Folder: FolderFormat = {
  id: "openhands-v1",
  detect: (names) => names.some((name) => /^events\/event-\d+-.*\.json$/.test(name)),
  async *parse(files, { name }) {
    const { events, problems, digest } = await readEventFiles(files, /^events\/event-(\d+)-.*\.json$/);
    yield* problems;
    if (events.length === 0) return;
    const trajectory = readEvents(events);
    trajectory.name = name;
    if ((await files.entries()).some((entry) => entry.name === "base_state.json")) {
      const parsed = parseJson(decodeText(await files.read("base_state.json")).text);
      if (parsed.ok && isObject(parsed.value)) {
        trajectory.model = nameAt(objectAt(objectAt(parsed.value, "agent"), "llm"), "model");
        trajectory.exitStatus = nameAt(parsed.value, "execution_status") ?? nameAt(parsed.value, "agent_status");
        trajectory.source = parsed.value;
      } else
        trajectory.warnings.push({
          path: "base_state.json",
          message: parsed.ok ? "no object" : `${parsed.reason} (${parsed.position})`,
        });
    }
    yield given(trajectory, digest);
  },
};

function readEvents(events: Json[]): Trajectory {
  const trajectory = emptyTrajectory("openhands-v1");
  trajectory.agent = "openhands";
  const byAction = new Map<string, Step>();
  const byCall = new Map<string, Step>();
  let turn = -1;
  let response: string | null = null;
  for (const event of events) {
    if (!isObject(event)) continue;
    const kind = nameAt(event, "kind") ?? "";
    const agent = nameAt(event, "source") === "agent";
    if (kind === "ActionEvent" || (kind === "MessageEvent" && agent)) {
      const id = nameAt(event, "llm_response_id");
      const parallel = id !== null && id === response && kind === "ActionEvent";
      if (!parallel) turn += 1;
      response = id;
      const step = kind === "ActionEvent" ? actionStep(event, turn, parallel) : messageStep(event, "agent", turn);
      const own = nameAt(event, "id");
      const call = nameAt(event, "tool_call_id");
      if (own !== null) byAction.set(own, step);
      if (call !== null) byCall.set(call, step);
      trajectory.steps.push(step);
      continue;
    }
    const item = observationOf(event, kind);
    const step =
      item && (byAction.get(nameAt(event, "action_id") ?? "") ?? byCall.get(nameAt(event, "tool_call_id") ?? ""));
    if (item && step) {
      step.observations.push(item);
      step.durationMs ??= between(step.time, instantOf(event.timestamp));
      step.source.push(event);
    } else trajectory.steps.push(otherStep(event, kind));
  }
  return trajectory;
}

function actionStep(event: JsonObject, turn: number, parallel: boolean): Step {
  const step = emptyStep("agent", turn);
  const call = objectAt(event, "tool_call");
  const inner = objectAt(call, "function") ?? call;
  if (!parallel) {
    const blocks = (arrayAt(event, "thinking_blocks") ?? [])
      .map((block) => stringAt(block, "thinking"))
      .filter((text) => text !== null);
    step.thinking = stringAt(event, "reasoning_content") ?? (blocks.length > 0 ? blocks.join("\n") : null);
    const thought = arrayAt(event, "thought");
    step.message = thought && thought.length > 0 ? contentOf(thought).text : null;
  }
  const name = nameAt(event, "tool_name") ?? nameAt(inner, "name") ?? "";
  step.call = toolCall(
    nameAt(event, "tool_call_id") ?? nameAt(call, "id"),
    name,
    inner?.arguments ?? event.action ?? null,
  );
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}

function messageStep(event: JsonObject, kind: "agent" | "user", turn: number | null): Step {
  const step = emptyStep(kind, turn);
  const message = objectAt(event, "llm_message");
  const content = contentOf(message?.content);
  step.message = content.text;
  if (kind === "agent") step.thinking = stringAt(message, "reasoning_content") ?? content.thinking;
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}

/** What came back from a tool; null when the event is none such. */
function observationOf(event: JsonObject, kind: string): Observation | null {
  const id = nameAt(event, "tool_call_id");
  if (kind === "ObservationEvent") {
    const body = objectAt(event, "observation");
    const item = observation(body?.content !== undefined ? contentOf(body.content).text : stringAt(body, "output"), id);
    const code = numberAt(body, "exit_code") ?? numberAt(objectAt(body, "metadata"), "exit_code");
    item.exitCode = code === -1 ? null : code;
    item.timedOut = body?.timeout === true;
    if (body?.is_error === true) item.error = item.content;
    return item;
  }
  if (kind === "AgentErrorEvent" || kind === "UserRejectObservation") {
    const text = stringAt(event, "error") ?? stringAt(event, "rejection_reason");
    return { ...observation(text, id), error: text };
  }
  return null;
}

function otherStep(event: JsonObject, kind: string): Step {
  if (kind === "MessageEvent") return messageStep(event, "user", null);
  const step = emptyStep(kind === "SystemPromptEvent" ? "system" : "user", null);
  const prompt = objectAt(event, "system_prompt");
  step.message =
    stringAt(prompt, "text") ?? stringAt(event, "summary") ?? stringAt(event, "error") ?? stringAt(event, "detail");
  step.note = kind === "SystemPromptEvent" ? null : kind.startsWith("Condensation") ? "summary" : "event";
  step.time = instantOf(event.timestamp);
  step.source = [event];
  return step;
}
