import { emptyTrajectory } from "@/lib/trajectory/build";
import { unwrapOutput, unwrapTags } from "@/lib/trajectory/outputs";
import { statedCalls, toolCall } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Observation, StepNote, ToolCall, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isArray, isObject, nameAt, numberAt, objectAt, stringAt, without } from "@/lib/trajectory/value";
import { isMessageList } from "./chat";
import { Conversation } from "./conversation";
import { type DocumentContext, type DocumentFormat, given } from "./module";

const FENCE_1 = /```bash\s*\n([\s\S]*?)\n```/g;
const FENCE_2 = /```mswea_bash_command\s*\n([\s\S]*?)\n```/g;

function format(value: Json): string {
  return stringAt(value, "trajectory_format") ?? "";
}

/** Whether a bare list of messages is one of mini-SWE-agent's: its fences, its return codes. */
function miniList(value: Json[]): boolean {
  if (!isMessageList(value)) return false;
  return value.slice(0, 12).some((message) => {
    const text = stringAt(message, "content");
    return (
      (text?.includes("```mswea_bash_command\n") && stringAt(message, "role") === "assistant") ||
      text?.startsWith("<returncode>") ||
      isArray(objectAt(message, "extra")?.actions)
    );
  });
}

/** mini-SWE-agent 1.x: actions in a fenced bash block, observations as user messages. */
export const mini1: DocumentFormat = {
  id: "mini-swe-agent-1",
  detect: (value) => {
    if (format(value) !== "") return format(value) === "mini-swe-agent-1";
    if (!objectAt(value, "info") || !arrayAt(value, "messages") || isArray((value as JsonObject).trajectory))
      return false;
    return !arrayAt(value, "messages")?.some((message) => objectAt(message, "extra")?.actions !== undefined);
  },
  *parse(value, context) {
    yield given(readMini("mini-swe-agent-1", value as JsonObject, arrayAt(value, "messages") ?? [], context));
  },
};

/** mini-SWE-agent 2.x: the model's own messages plus `extra`; tool calls, text, or the responses API. Also bare message lists of it. */
export const mini2: DocumentFormat = {
  id: "mini-swe-agent-2",
  detect: (value) => {
    if (format(value).startsWith("mini-swe-agent-")) return format(value) !== "mini-swe-agent-1";
    if (isArray(value)) return miniList(value);
    return (
      objectAt(value, "info") !== null &&
      arrayAt(value, "messages") !== null &&
      !isArray((value as JsonObject).trajectory)
    );
  },
  *parse(value, context) {
    const whole = isObject(value) ? value : {};
    yield given(
      readMini("mini-swe-agent-2", whole, isArray(value) ? value : (arrayAt(value, "messages") ?? []), context),
    );
  },
};

function readMini(
  id: "mini-swe-agent-1" | "mini-swe-agent-2",
  value: JsonObject,
  messages: Json[],
  context: DocumentContext,
): Trajectory {
  const trajectory = emptyTrajectory(id);
  const info = objectAt(value, "info");
  const config = objectAt(info, "config");
  const stats = objectAt(info, "model_stats");
  trajectory.formatVersion = nameAt(value, "trajectory_format");
  const known = ["mini-swe-agent-1", "mini-swe-agent-1.1"];
  if (trajectory.formatVersion !== null && !known.includes(trajectory.formatVersion)) {
    trajectory.warnings.push({
      path: "/trajectory_format",
      message: `${JSON.stringify(trajectory.formatVersion)} is not a version known here; read as the nearest one`,
    });
  }
  trajectory.name = nameAt(value, "instance_id") ?? context.file.replace(/(\.traj)?\.json$/i, "");
  trajectory.task = nameAt(value, "instance_id");
  trajectory.agent = "mini-swe-agent";
  trajectory.agentVersion = nameAt(info, "mini_version");
  trajectory.model = nameAt(objectAt(config, "model"), "model_name");
  trajectory.exitStatus = nameAt(info, "exit_status");
  trajectory.usage.costUsd = numberAt(stats, "instance_cost") || null;
  const submission = stringAt(info, "submission");
  const ended = trajectory.exitStatus !== null;
  const v1 =
    id === "mini-swe-agent-1" ||
    (messages.length > 0 && !isObject(value.info) && !messages.some((message) => objectAt(message, "extra") !== null));
  const conversation = new Conversation({
    where: isObject(value.info) ? "/messages" : "",
    calls: (message, text) => fencedCalls(message, text),
    observes: () => true,
    complains: (_, hadCall) => !hadCall,
    unwrap: readObservation,
    note: (message, _, last): StepNote => (v1 && last && ended && isExit(message, submission) ? "exit" : null),
  }).readAll(messages);
  trajectory.steps = conversation.steps;
  trajectory.warnings.push(...conversation.warnings);
  const end = messages[messages.length - 1];
  const crash = stringAt(end, "role") === "exit" ? objectAt(end, "extra") : null;
  const traceback = stringAt(crash, "traceback");
  if (traceback !== null || stringAt(crash, "exception_str") !== null) {
    trajectory.exception = {
      type: trajectory.exitStatus ?? "exception",
      message: stringAt(crash, "exception_str"),
      traceback,
    };
  }
  if (submission !== null && submission !== "") trajectory.artifacts.push({ name: "submission", text: submission });
  trajectory.source = without(value, "messages");
  return trajectory;
}

/** Version 1 writes the submission, or why it stopped, as a last user message. */
function isExit(message: JsonObject, submission: string | null): boolean {
  const text = stringAt(message, "content");
  if (stringAt(message, "role") !== "user" || text === null) return false;
  return text === submission || !text.startsWith("<");
}

function fencedCalls(message: JsonObject, text: string): ToolCall[] {
  const actions = arrayAt(objectAt(message, "extra"), "actions");
  if (actions) {
    return actions.flatMap((action) => {
      const command = stringAt(action, "command") ?? stringAt(action, "action");
      return command === null ? [] : [{ ...toolCall(nameAt(action, "tool_call_id"), "bash", { command }), command }];
    });
  }
  const stated = statedCalls(message);
  if (stated.length > 0) return stated;
  const fence = text.includes("```mswea_bash_command") ? FENCE_2 : FENCE_1;
  const found = [...text.matchAll(fence)];
  const command = found[0]?.[1]?.trim();
  return found.length === 1 && command !== undefined ? [toolCall(null, "bash", { command })] : [];
}

function readObservation(item: Observation, message: JsonObject): void {
  const extra = objectAt(message, "extra");
  const code = numberAt(extra, "returncode");
  if (code !== null) item.exitCode = code;
  const text = item.content ?? "";
  if (text.startsWith("<returncode>") || text.includes("<returncode>")) unwrapTags(item);
  else unwrapOutput(item);
  if (/^The last command <command>/.test(text) && text.includes("timed out")) item.timedOut = true;
  const raw = stringAt(extra, "raw_output");
  if (raw !== null) {
    const shown = item.output ? text.slice(item.output[0], item.output[1]) : text;
    if (shown !== raw) item.full = raw;
  }
  const wrong = nameAt(extra, "exception_info");
  if (wrong !== null) {
    item.error = wrong;
    if (/timed? ?out/i.test(`${nameAt(extra, "exception_type") ?? ""} ${wrong}`)) item.timedOut = true;
  }
}
