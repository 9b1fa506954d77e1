import { contentOf } from "@/lib/trajectory/text";
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
} from "@/lib/trajectory/value";
import { resolve } from "./inspect-sample";

/** The message a model call gave. */
export function messageOf(output: JsonObject | null): JsonObject | null {
  return objectAt(arrayAt(output, "choices")?.[0], "message");
}

/** All messages of the last model call among events: what went in (inline, or by reference into the sample's pool) and what came out. */
export function poolMessages(events: Json[], sample: JsonObject): Json[] {
  const last = events.findLast((event) => isObject(event) && event.event === "model");
  if (!isObject(last)) return [];
  const pool = arrayAt(objectAt(sample, "events_data"), "messages") ?? [];
  const inline = arrayAt(last, "input") ?? [];
  const input = inline.length > 0 ? inline : byReference(arrayAt(last, "input_refs") ?? [], pool);
  const output = messageOf(objectAt(last, "output"));
  return output ? [...input, output] : input;
}

/** References are ranges [start, end) or single indices. */
function byReference(refs: Json[], pool: Json[]): Json[] {
  return refs.flatMap((ref) => {
    if (typeof ref === "number") return pool[ref] === undefined ? [] : [pool[ref] as Json];
    if (isArray(ref) && typeof ref[0] === "number" && typeof ref[1] === "number") return pool.slice(ref[0], ref[1]);
    return [];
  });
}

/** Puts what events say of model calls (time, usage) and tool calls (time, whole result, errors) on the steps they belong to. */
export function applyEvents(trajectory: Trajectory, events: Json[], attachments: JsonObject): void {
  const replies = trajectory.steps.filter(
    (step, at) => step.turn !== null && step.turn !== trajectory.steps[at - 1]?.turn,
  );
  let next = 0;
  for (const event of events) {
    if (!isObject(event)) continue;
    if (event.event === "model") {
      const found = replyOf(replies, next, messageOf(objectAt(event, "output")), attachments);
      if (found === -1) continue;
      next = found + 1;
      const step = replies[found] as Step;
      step.time ??= instantOf(event.timestamp);
      step.usage ??= usageOf(objectAt(objectAt(event, "output"), "usage"));
    } else if (event.event === "tool") applyTool(trajectory, event, attachments);
  }
}

/** The reply a model call gave: by message id, else the next whose text is the same. */
function replyOf(replies: Step[], from: number, message: JsonObject | null, attachments: JsonObject): number {
  if (!message) return -1;
  const id = nameAt(message, "id");
  if (id !== null) return replies.findIndex((step) => nameAt(step.source[0], "id") === id);
  const text = contentOf(resolve(message.content ?? null, attachments)).text;
  return replies.findIndex((step, at) => at >= from && step.message === text);
}

function applyTool(trajectory: Trajectory, event: JsonObject, attachments: JsonObject): void {
  const id = nameAt(event, "id");
  const step = id === null ? undefined : trajectory.steps.find((candidate) => candidate.call?.id === id);
  if (!step) return;
  step.time ??= instantOf(event.timestamp);
  const seconds = numberAt(event, "working_time");
  step.durationMs ??=
    between(instantOf(event.timestamp), instantOf(event.completed)) ??
    (seconds === null ? null : Math.round(seconds * 1000));
  const item = step.observations[0];
  const result = resolve(event.result ?? null, attachments);
  if (!item) return;
  if (typeof result === "string" && item.content !== null && result.length > item.content.length) item.full ??= result;
  const wrong = objectAt(event, "error");
  if (wrong) {
    item.error ??= stringAt(wrong, "message");
    if (stringAt(wrong, "type") === "timeout") item.timedOut = true;
  }
}
