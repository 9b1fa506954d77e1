import { emptyTrajectory } from "@/lib/trajectory/build";
import { setRewards } from "@/lib/trajectory/outcome";
import { type Json, type JsonObject, NO_USAGE, type Trajectory, type Usage } from "@/lib/trajectory/types";
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
import { Conversation } from "./conversation";
import { applyEvents, messageOf, poolMessages } from "./inspect-events";

/** Scorer letters: correct, incorrect, partial, no answer. */
const LETTERS: Record<string, number> = { C: 1, I: 0, P: 0.5, N: 0 };

/** One sample as a trajectory, and its subtasks as trajectories below it. */
export function readSample(sample: JsonObject, log: JsonObject): Trajectory[] {
  const trajectory = emptyTrajectory("inspect");
  const spec = objectAt(log, "eval");
  const id = nameAt(sample, "id") ?? "sample";
  const epoch = numberAt(sample, "epoch") ?? 1;
  trajectory.key = `${id}#${epoch}`;
  trajectory.formatVersion = nameAt(log, "version");
  trajectory.name = `${id} (epoch ${epoch})`;
  trajectory.task = nameAt(spec, "task") === null ? id : `${nameAt(spec, "task")}/${id}`;
  trajectory.dataset = nameAt(objectAt(spec, "dataset"), "name");
  trajectory.model = nameAt(spec, "model");
  trajectory.agent = nameAt(spec, "solver");
  trajectory.attempt = epoch;
  const attachments = objectAt(sample, "attachments") ?? {};
  const messages = messagesOf(sample);
  readInto(trajectory, messages, attachments);
  const events = arrayAt(sample, "events") ?? [];
  applyEvents(trajectory, events, attachments);
  if (!isArray(sample.messages))
    trajectory.warnings.push({
      path: "/messages",
      message: "the sample has no messages; they were put together from its events, input and output",
    });
  setRewards(trajectory, rewardsOf(objectAt(sample, "scores") ?? {}), "/scores");
  const wrong = objectAt(sample, "error");
  if (wrong) {
    const message = stringAt(wrong, "message");
    trajectory.exception = {
      type: /^([A-Z]\w*(?:Error|Exception))\b/.exec(message ?? "")?.[1] ?? "error",
      message,
      traceback: stringAt(wrong, "traceback"),
    };
  }
  const limit = objectAt(sample, "limit");
  if (limit) trajectory.exitStatus = `limit: ${nameAt(limit, "type") ?? "unknown"}`;
  else if (wrong) trajectory.exitStatus = "error";
  trajectory.startedAt = instantOf(sample.started_at);
  trajectory.finishedAt = instantOf(sample.completed_at);
  const seconds = numberAt(sample, "total_time");
  if (seconds !== null) trajectory.durationMs = Math.round(seconds * 1000);
  trajectory.usage = sampleUsage(objectAt(sample, "model_usage"), trajectory.model);
  trajectory.source = {
    sample: without(sample, "messages"),
    log: without(log, "samples", "reductions"),
  };
  return [trajectory, ...subtasks(trajectory, events, sample, attachments)];
}

function readInto(trajectory: Trajectory, messages: Json[], attachments: JsonObject): void {
  const resolved =
    Object.keys(attachments).length === 0 ? messages : messages.map((message) => resolve(message, attachments));
  const conversation = new Conversation({ where: "/messages" }).readAll(resolved);
  const own = new Map(resolved.map((message, at) => [message, messages[at] as Json]));
  for (const step of conversation.steps) step.source = step.source.map((item) => own.get(item) ?? item);
  trajectory.steps = conversation.steps;
  trajectory.warnings.push(...conversation.warnings);
}

/** The value with `attachment://` texts replaced; the same value when it has none. */
export function resolve(value: Json, attachments: JsonObject): Json {
  if (typeof value === "string") {
    if (!value.startsWith("attachment://")) return value;
    const found = attachments[value.slice(13)];
    return typeof found === "string" ? found : value;
  }
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) {
    const items = value.map((item) => resolve(item, attachments));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, resolve(item, attachments)]);
  return entries.some(([key, item]) => item !== value[key]) ? Object.fromEntries(entries) : value;
}

/** The sample's messages; where it has none, those of its last model call, else its input and output. */
function messagesOf(sample: JsonObject): Json[] {
  const messages = arrayAt(sample, "messages");
  if (messages) return messages;
  const pooled = poolMessages(arrayAt(sample, "events") ?? [], sample);
  if (pooled.length > 0) return pooled;
  const input = isArray(sample.input)
    ? sample.input
    : typeof sample.input === "string"
      ? [{ role: "user", content: sample.input }]
      : [];
  const output = messageOf(objectAt(sample, "output"));
  return output ? [...input, output] : input;
}

function rewardsOf(scores: JsonObject): JsonObject {
  const rewards: JsonObject = {};
  for (const [name, score] of Object.entries(scores)) {
    const value = isObject(score) && "value" in score ? (score.value ?? null) : score;
    if (isObject(value)) for (const [part, inner] of Object.entries(value)) rewards[`${name}/${part}`] = letter(inner);
    else rewards[name] = letter(value);
  }
  return rewards;
}

function letter(value: Json): Json {
  return typeof value === "string" && value in LETTERS ? (LETTERS[value] ?? null) : value;
}

/** Usage of the evaluated model; of all models together when it is not named. */
function sampleUsage(byModel: JsonObject | null, model: string | null): Usage {
  const names = Object.keys(byModel ?? {});
  const chosen = model !== null && names.includes(model) ? [model] : names;
  const total: Usage = { ...NO_USAGE };
  for (const name of chosen) {
    const usage = usageOf(byModel?.[name]);
    for (const field of Object.keys(total) as (keyof Usage)[]) {
      const value = usage?.[field] ?? null;
      if (value !== null) total[field] = (total[field] ?? 0) + value;
    }
  }
  return total;
}

function subtasks(parent: Trajectory, events: Json[], sample: JsonObject, attachments: JsonObject): Trajectory[] {
  const found: Trajectory[] = [];
  events.forEach((event, at) => {
    if (!isObject(event) || (event.event !== "subtask" && event.event !== "tool")) return;
    const messages = poolMessages(arrayAt(event, "events") ?? [], sample);
    if (messages.length === 0) return;
    const inner = emptyTrajectory("inspect");
    const name = nameAt(event, "name") ?? nameAt(event, "function") ?? "subtask";
    inner.key = `${parent.key}/${name}@${at}`;
    inner.parentKey = parent.key;
    const call = parent.steps.findIndex((step) => step.call?.id != null && step.call.id === nameAt(event, "id"));
    inner.parentStep = call === -1 ? null : call;
    inner.name = `${parent.name} ${name}`;
    inner.task = parent.task;
    inner.dataset = parent.dataset;
    inner.model = parent.model;
    readInto(inner, messages, attachments);
    applyEvents(inner, arrayAt(event, "events") ?? [], attachments);
    inner.source = without(event, "events");
    found.push(inner);
  });
  return found;
}
