import { emptyTrajectory } from "@/lib/trajectory/build";
import { setReward } from "@/lib/trajectory/outcome";
import { toolCall, tryJson } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, ToolCall, Trajectory } from "@/lib/trajectory/types";
import {
  arrayAt,
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
import { readExactChat } from "./chat-exact";
import { Conversation, type Dialect } from "./conversation";
import { type DocumentContext, type DocumentFormat, given, type Parsed, refused } from "./module";

/** Names under which files keep their list of messages. */
const LISTS = ["messages", "conversations", "conversation", "traj"] as const;

export function isMessage(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  if (typeof value.role === "string") return "content" in value || "tool_calls" in value || "parts" in value;
  if (typeof value.from === "string") return "value" in value;
  return value.object === "response" || value.type === "function_call_output";
}

/** Whether most of the first entries are chat messages. */
export function isMessageList(value: Json | undefined): boolean {
  if (!isArray(value) || value.length === 0) return false;
  const first = value.slice(0, 20);
  return first.filter(isMessage).length * 2 > first.length;
}

function listName(value: Json | undefined): string | null {
  if (!isObject(value)) return null;
  return (
    LISTS.find(
      (name) => isMessageList(value[name]) || (isArray(value[name]) && value[name].length === 0 && "misstep" in value),
    ) ?? (isMessageList(value.prompt) && isMessageList(value.completion) ? "prompt" : null)
  );
}

/** Plain chat: a list of messages, an object around one, or a list of such objects. */
export const chat: DocumentFormat = {
  id: "chat",
  detect: (value) => {
    if (isMessageList(value) || listName(value) !== null) return true;
    return isArray(value) && value.slice(0, 5).some((item: Json) => listName(item) !== null);
  },
  *parse(value, context) {
    if (isArray(value) && isMessageList(value)) yield given(readChat({}, value, "", context));
    else if (isObject(value)) yield given(readObject(value, "", context));
    else if (isArray(value)) yield* readList(value, context);
  },
};

function* readList(value: Json[], context: DocumentContext): Generator<Parsed> {
  for (const [at, item] of value.entries()) {
    if (isObject(item) && listName(item) !== null) {
      const trajectory = readObject(item, `/${at}`, context);
      trajectory.key = `/${at}`;
      yield given(trajectory);
    } else yield refused(`/${at}`, "this entry of the list holds no chat messages");
  }
}

function readObject(value: JsonObject, pointer: string, context: DocumentContext): Trajectory {
  const list = listName(value) ?? "messages";
  const messages = arrayAt(value, list) ?? [];
  const hints = objectAt(value, "misstep");
  if (hints) return readExactChat(without(value, list, "misstep"), messages, hints);
  const reply = replyOf(value);
  const rest = without(value, list, ...(list === "prompt" ? ["completion"] : []), ...(reply ? ["response"] : []));
  const trajectory = readChat(
    rest,
    [...messages, ...(list === "prompt" ? (arrayAt(value, "completion") ?? []) : []), ...(reply ? [reply] : [])],
    `${pointer}/${list}`,
    context,
  );
  if (reply) {
    for (const step of trajectory.steps)
      step.source = step.source.map((item) => (item === reply ? (value.response ?? item) : item));
  }
  if (list === "traj") trajectory.formatVersion = "tau-bench";
  if (list === "conversations") trajectory.formatVersion = "traces";
  return trajectory;
}

/** The reply that a request/response log holds beside the messages that asked for it. */
function replyOf(value: JsonObject): JsonObject | null {
  const response = objectAt(value, "response");
  const message = objectAt(arrayAt(response, "choices")?.[0], "message");
  if (!response || !message) return null;
  return {
    role: "assistant",
    ...message,
    usage: response.usage ?? null,
    extra: { cost: value.cost ?? null, response: without(response, "choices") },
  };
}

function readChat(rest: JsonObject, messages: Json[], pointer: string, context: DocumentContext): Trajectory {
  const trajectory = emptyTrajectory("chat");
  const about = objectAt(rest, "metadata") ?? objectAt(rest, "meta") ?? {};
  const say = (...names: string[]): string | null => {
    for (const name of names) {
      const found = nameAt(rest, name) ?? nameAt(about, name);
      if (found !== null) return found;
    }
    return null;
  };
  trajectory.name = say("trial_name", "trial", "instance_id", "id", "name", "run_id");
  trajectory.task = say("task", "task_name", "task_id", "instance_id");
  trajectory.dataset = say("dataset", "source");
  trajectory.model = say("model", "model_name") ?? nameAt(objectAt(rest, "kwargs"), "model");
  trajectory.agent = say("agent", "agent_name");
  trajectory.exitStatus = say("exit_status", "finish_reason");
  trajectory.attempt = numberAt(rest, "trial") ?? numberAt(about, "attempt");
  const reward = rest.reward ?? about.reward ?? rest.score ?? about.score ?? rest.result;
  if (reward !== undefined && typeof reward !== "object")
    setReward(trajectory, reward, rest.reward !== undefined ? "/reward" : "/metadata/reward");
  const conversation = new Conversation(dialectOf(trajectory.agent, pointer)).readAll(messages);
  trajectory.steps = conversation.steps;
  trajectory.warnings.push(...conversation.warnings);
  trajectory.startedAt = instantOf(rest.timestamp ?? rest.date ?? about.timestamp);
  const usage = usageOf(rest.usage ?? about.usage, rest.cost ?? about.cost ?? null);
  if (usage) trajectory.usage = usage;
  trajectory.source = rest;
  if (trajectory.name === null) trajectory.name = context.file.replace(/\.(jsonl?|ndjson)$/i, "");
  return trajectory;
}

function dialectOf(agent: string | null, where: string): Dialect {
  if (!agent?.startsWith("terminus")) return { where };
  return { where, calls: (_, text) => terminusCalls(text), observes: () => true };
}

/** Terminus answers with a JSON object whose `commands` are keys to type. */
function terminusCalls(text: string): ToolCall[] {
  const value = tryJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  return (arrayAt(value, "commands") ?? []).flatMap((command) =>
    stringAt(command, "keystrokes") !== null ? [toolCall(null, "bash_command", command)] : [],
  );
}
