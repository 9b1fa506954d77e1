import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { contentOf } from "@/lib/trajectory/text";
import { statedCalls, toolCall } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Step, ToolCall, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isArray, isObject, nameAt, numberAt, objectAt, stringAt, without } from "@/lib/trajectory/value";
import { Conversation } from "./conversation";
import { type DocumentFormat, given } from "./module";

/** SWE-agent `.traj` of every generation, and its demonstrations that hold a history only. */
export const sweAgent: DocumentFormat = {
  id: "swe-agent",
  detect: (value) => {
    const steps = arrayAt(value, "trajectory");
    if (steps?.some((step) => isObject(step) && ("action" in step || "response" in step) && "observation" in step))
      return true;
    const history = arrayAt(value, "history");
    if (!history) return false;
    if (steps && objectAt(value, "info")) return true;
    return history.some(
      (item) =>
        isObject(item) &&
        (stringAt(item, "agent") !== null ||
          stringAt(item, "message_type") !== null ||
          ("action" in item && "thought" in item)),
    );
  },
  *parse(value, context) {
    if (!isObject(value)) return;
    const trajectory = readHead(value);
    trajectory.name ??= context.file.replace(/\.(traj|json|ya?ml)$/i, "");
    const steps = arrayAt(value, "trajectory") ?? [];
    const history = arrayAt(value, "history") ?? [];
    if (steps.length > 0) trajectory.steps = withPrompt(steps, history, trajectory);
    else {
      const read = new Conversation({
        where: "/history",
        calls: historyCalls,
        observes: () => true,
        note: (message) => (message.is_demo === true ? "demonstration" : null),
      }).readAll(history);
      trajectory.steps = read.steps;
      trajectory.warnings.push(...read.warnings);
    }
    yield given(trajectory);
  },
};

function readHead(value: JsonObject): Trajectory {
  const trajectory = emptyTrajectory("swe-agent");
  const info = objectAt(value, "info");
  const stats = objectAt(info, "model_stats");
  const replay = replayConfig(value.replay_config);
  const agent = objectAt(replay, "agent");
  trajectory.formatVersion = nameAt(info, "swe_agent_version");
  trajectory.agent = "SWE-agent";
  trajectory.agentVersion = trajectory.formatVersion;
  trajectory.model = nameAt(objectAt(agent, "model"), "name");
  trajectory.task = nameAt(objectAt(replay, "problem_statement"), "id");
  trajectory.name = trajectory.task;
  trajectory.exitStatus = nameAt(info, "exit_status");
  trajectory.usage.costUsd = numberAt(stats, "instance_cost") || null;
  trajectory.usage.promptTokens = numberAt(stats, "tokens_sent") || null;
  trajectory.usage.completionTokens = numberAt(stats, "tokens_received") || null;
  const submission = stringAt(info, "submission");
  if (submission) trajectory.artifacts.push({ name: "submission", text: submission });
  trajectory.source = without(value, "trajectory", "history");
  return trajectory;
}

/** A JSON text in 1.x, an object in some files. */
function replayConfig(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return null;
  }
}

/** What the model read before its first reply (from the history), then the recorded steps. */
function withPrompt(records: Json[], history: Json[], trajectory: Trajectory): Step[] {
  const steps: Step[] = [];
  const asked = history.length > 0 ? history : firstQuery(records);
  const replies = history.flatMap((item, at) => (stringAt(item, "role") === "assistant" && !isDemo(item) ? [at] : []));
  const first = replies[0] ?? -1;
  for (const item of first === -1 ? asked : asked.slice(0, first)) {
    const step = emptyStep(stringAt(item, "role") === "system" ? "system" : "user", null);
    step.message = contentOf(isObject(item) ? item.content : item).text;
    if (isDemo(item)) step.note = "demonstration";
    step.source = [item];
    steps.push(step);
  }
  const aligned = replies.length === records.length;
  if (!aligned && history.length > 0) {
    const message = `${replies.length} replies in the history, ${records.length} recorded steps: they were not joined`;
    trajectory.warnings.push({ path: "/history", message });
    trajectory.source.history = history;
  }
  records.forEach((record, turn) => {
    if (!isObject(record)) {
      trajectory.warnings.push({ path: `/trajectory/${turn}`, message: "a step is no object; left out" });
      return;
    }
    const at = aligned ? (replies[turn] ?? -1) : -1;
    const step = readRecord(record, turn, history[at] ?? null);
    if (at !== -1) asShown(step, history[at + 1]);
    steps.push(step);
  });
  return steps;
}

/** Where a file has no history, what the model was given for its first step (`query`, before that `messages`). */
function firstQuery(records: Json[]): Json[] {
  return arrayAt(records[0], "query") ?? arrayAt(records[0], "messages") ?? [];
}

/** The policy saw the observation as the history has it, inside a template: that is the content, the record's own text the output in it. */
function asShown(step: Step, next: Json | undefined): void {
  const item = step.observations[0];
  const role = stringAt(next, "role");
  if (!item || item.content === null || !isObject(next) || (role !== "user" && role !== "tool")) return;
  step.source.push(next);
  const shown = contentOf(next.content).text;
  if (shown === null || shown === item.content) return;
  const raw = item.content;
  const at = shown.indexOf(raw);
  item.content = shown;
  if (at !== -1) item.output = [at, at + raw.length];
  else item.full = raw;
}

function isDemo(item: Json): boolean {
  return isObject(item) && item.is_demo === true;
}

function readRecord(record: JsonObject, turn: number, reply: Json): Step {
  const step = emptyStep("agent", turn);
  const action = stringAt(record, "action");
  const thought = stringAt(record, "thought");
  const response = stringAt(record, "response");
  step.message = response !== null && response !== "" ? response : thought;
  step.thinking = thinkingOf(record) ?? thinkingOf(reply);
  const seconds = numberAt(record, "execution_time");
  if (seconds !== null) step.durationMs = Math.round(seconds * 1000);
  step.call = callOf(action, isObject(reply) ? reply : {});
  const content = contentOf(record.observation).text;
  if (content !== null) step.observations.push(observation(content, step.call?.id ?? null));
  if (/^EXECUTION TIMED OUT|Execution timed out/.test((content ?? "").slice(0, 60)))
    for (const item of step.observations) item.timedOut = true;
  if (action === null || action.trim() === "") {
    step.call = null;
    if (/not formatted correctly|format/i.test((content ?? "").slice(0, 200)) && content !== "")
      step.note = "format-error";
  }
  step.source = isObject(reply) ? [record, reply] : [record];
  return step;
}

function thinkingOf(item: Json): string | null {
  const blocks = arrayAt(item, "thinking_blocks") ?? [];
  const texts = blocks.map((block) => stringAt(block, "thinking")).filter((text) => text !== null);
  return texts.length > 0 ? texts.join("\n") : (stringAt(item, "reasoning_content") ?? null);
}

/** The action is what ran; the reply's tool call, when there is one, says under which name and id. */
function callOf(action: string | null, reply: JsonObject): ToolCall | null {
  if (action === null) return null;
  const stated = isArray(reply.tool_calls) ? statedCalls(reply)[0] : undefined;
  const call = stated ?? toolCall(null, "bash", { command: action });
  return { ...call, command: action };
}

function historyCalls(message: JsonObject): ToolCall[] {
  const action = stringAt(message, "action");
  return action === null || action.trim() === ""
    ? []
    : [{ ...toolCall(null, "bash", { command: action }), command: action }];
}
