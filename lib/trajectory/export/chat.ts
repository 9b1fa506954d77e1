import { readChatEntry } from "@/lib/trajectory/formats/chat-exact";
import { entriesOf, nextTurn } from "@/lib/trajectory/groups";
import { hintFor, metaHint } from "@/lib/trajectory/hints";
import type { Json, JsonObject, Step, ToolCall, Trajectory } from "@/lib/trajectory/types";
import { isRejected, REJECTED_TEXT } from "./rejected";

/**
 * One line of chat JSONL (without its line feed): OpenAI messages with tool calls. What chat messages cannot say
 * stands in `misstep` keys, which our reader honours: reading the line gives the same steps. A rejected step is a system
 * note without call and result (rejected.ts); a teacher's correction is an assistant message like any other, as it ran.
 */
export function toChatLine(trajectory: Trajectory): string {
  const messages: JsonObject[] = [];
  let turn = 0;
  for (const entry of entriesOf(trajectory.steps)) {
    const head = headOf(entry);
    const ran = isRejected(entry) ? [] : entry;
    const items = ran.flatMap((step) => step.observations.map((item) => ({ item, step })));
    const tools = items.map(({ item, step }): JsonObject => {
      const id = item.callId ?? (step.call ? idOf(step.call, turn, entry.indexOf(step)) : null);
      return { role: "tool", ...(id === null ? {} : { tool_call_id: id }), content: item.content };
    });
    const calls = ran.flatMap((step, at) => (step.call ? [callOf(step.call, turn, at)] : []));
    if (calls.length > 0 && entry[0]?.kind === "agent") head.tool_calls = calls;
    const bare = readChatEntry(head, tools, turn);
    const counts = sameCounts(bare.steps, entry) ? null : entry.map((step) => step.observations.length);
    const read = counts ? readChatEntry({ ...head, misstep: { counts } }, tools, turn).steps : bare.steps;
    const hint = hintFor(read, entry, counts);
    if (hint) head.misstep = hint as unknown as JsonObject;
    messages.push(head, ...tools);
    turn = nextTurn(entry, turn);
  }
  return JSON.stringify({ messages, metadata: metadata(trajectory), misstep: metaHint(trajectory) });
}

function headOf(entry: Step[]): JsonObject {
  const [first] = entry;
  if (isRejected(entry)) return { role: "system", content: REJECTED_TEXT };
  const role = first?.kind === "agent" ? "assistant" : (first?.kind ?? "user");
  const head: JsonObject = { role };
  if (first?.actor) head.name = first.actor;
  head.content = first?.message ?? null;
  if (role === "assistant" && first && first.thinking !== null) head.reasoning_content = first.thinking;
  return head;
}

function idOf(call: ToolCall, turn: number, at: number): string {
  return call.id ?? `call_${turn}_${at}`;
}

function callOf(call: ToolCall, turn: number, at: number): Json {
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return { id: idOf(call, turn, at), type: "function", function: { name: call.name, arguments: text } };
}

export function sameCounts(read: readonly Step[], wanted: readonly Step[]): boolean {
  return (
    read.length === wanted.length &&
    read.every((step, at) => {
      const other = wanted[at]?.observations ?? [];
      return (
        step.observations.length === other.length &&
        step.observations.every((item, index) => item.content === other[index]?.content)
      );
    })
  );
}

function metadata(trajectory: Trajectory): JsonObject {
  const { name, task, model, agent, reward, outcome } = trajectory;
  return { trial: name, task, model, agent, reward, outcome };
}
