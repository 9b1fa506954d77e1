import { emptyStep, emptyTrajectory, observation, turnSteps } from "@/lib/trajectory/build";
import { nextTurn } from "@/lib/trajectory/groups";
import { applyHint, applyMeta, placeExact } from "@/lib/trajectory/hints";
import { statedCalls } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Step, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, isObject, nameAt, objectAt, stringAt } from "@/lib/trajectory/value";

/** Reads a chat line that we exported: taken at its word, with its hints, and without any guessing from texts. */
export function readExactChat(rest: JsonObject, messages: Json[], hints: JsonObject): Trajectory {
  const trajectory = emptyTrajectory("chat");
  applyMeta(trajectory, hints);
  trajectory.source = rest;
  let turn = 0;
  for (let at = 0; at < messages.length; ) {
    const head = messages[at];
    at += 1;
    const tools: JsonObject[] = [];
    for (let next = messages[at]; isObject(next) && next.role === "tool"; next = messages[at]) {
      tools.push(next);
      at += 1;
    }
    if (!isObject(head)) {
      trajectory.warnings.push({ path: `/messages/${at - 1}`, message: "a message is no object; left out" });
      continue;
    }
    const { steps, next } = readChatEntry(head, tools, turn);
    turn = next;
    trajectory.steps.push(...steps);
  }
  return trajectory;
}

/** Steps of one message and the tool messages after it. `next` is the turn number that follows. */
export function readChatEntry(head: JsonObject, tools: JsonObject[], turn: number): { steps: Step[]; next: number } {
  const hint = objectAt(head, "misstep");
  const agent = head.role === "assistant";
  let steps: Step[];
  if (agent) {
    steps = turnSteps({
      turn,
      actor: nameAt(head, "name"),
      thinking: stringAt(head, "reasoning_content"),
      message: stringAt(head, "content"),
      calls: statedCalls({ tool_calls: arrayAt(head, "tool_calls") ?? [] }),
      source: [head],
    });
  } else {
    const step = emptyStep(head.role === "system" ? "system" : "user", null);
    step.actor = nameAt(head, "name");
    step.message = stringAt(head, "content");
    step.source = [head];
    steps = [step];
  }
  const observations = tools.map((tool) => observation(stringAt(tool, "content"), stringAt(tool, "tool_call_id")));
  placeExact(steps, observations, hint);
  if (tools.length > 0) steps[0]?.source.push(...tools);
  const done = applyHint(steps, hint);
  return { steps: done, next: nextTurn(done, turn) };
}
