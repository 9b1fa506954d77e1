import { z } from "zod";
import { readObservation, type Turn } from "@/lib/model/policy/turns";
import { ApiError } from "./error";
import { type Message, TOOL } from "./request";

/** A chat as the embedded policy reads it. */
export interface Conversation {
  instruction: string;
  turns: Turn[];
}

const argumentsSchema = z.object({ command: z.string() });

/**
 * Messages as instruction and turns. System messages are left out: the closed vocabulary has no use for them. The text
 * before the first reply is the task; a reply's content is its thought, its one call of `bash` the command; a tool's
 * message is what the command showed. A reply without a call failed, whatever the user answered to it.
 * Throws ApiError for what the policy could not have written or been shown.
 */
export function readConversation(messages: readonly Message[]): Conversation {
  const said = messages.flatMap((message, at) =>
    message.role === "system" || message.role === "developer" ? [] : [{ message, at }],
  );
  const first = said.findIndex(({ message }) => message.role === "assistant");
  const opening = first < 0 ? said : said.slice(0, first);
  const instruction = opening.map(({ message, at }) => {
    if (message.role !== "user") throw fault(at, "a tool's answer comes before any call");
    return textOf(message.content);
  });
  if (instruction.join("").trim() === "") throw new ApiError(400, "there is no user message with the task", "messages");
  const turns: Turn[] = [];
  for (let i = opening.length; i < said.length; ) {
    const { message, at } = said[i] as { message: Message; at: number };
    if (message.role !== "assistant") throw fault(at, `a message of role "${message.role}" follows an answer`);
    const next = said[i + 1];
    if (!next) throw fault(at, "the last message is the assistant's; nothing is left to answer");
    turns.push({ ...replyOf(message, at), ...answerOf(message, next) });
    i += 2;
  }
  return { instruction: instruction.join("\n\n"), turns };
}

type Assistant = Extract<Message, { role: "assistant" }>;

const fault = (at: number, text: string) => new ApiError(400, `messages.${at}: ${text}`, `messages.${at}`);

const textOf = (content: Message["content"]): string =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("");

function replyOf({ content, reasoning_content, tool_calls }: Assistant, at: number): Pick<Turn, "thought" | "command"> {
  const thought = [reasoning_content ?? "", textOf(content)].filter((text) => text !== "").join("\n\n");
  const calls = tool_calls ?? [];
  if (calls.length > 1) throw fault(at, `${calls.length} calls in one reply; the policy makes one`);
  const call = calls[0]?.function;
  if (!call) return { thought, command: null };
  if (call.name !== TOOL) throw fault(at, `a call of "${call.name}"; the policy knows "${TOOL}"`);
  const read = argumentsSchema.safeParse(jsonOf(call.arguments));
  if (!read.success) throw fault(at, `the arguments of the call are no JSON of the form {"command": "…"}`);
  return { thought, command: read.data.command };
}

function answerOf(
  { tool_calls }: Assistant,
  { message, at }: { message: Message; at: number },
): Pick<Turn, "output" | "ok"> {
  const call = tool_calls?.[0];
  if (!call) {
    if (message.role !== "user") throw fault(at, "a reply without a call is answered by the user");
    return { output: "", ok: false };
  }
  if (message.role !== "tool") throw fault(at, "the call before it has no answer of role tool");
  if (message.tool_call_id !== call.id)
    throw fault(at, `answers the call "${message.tool_call_id}"; the call before it is "${call.id}"`);
  return readObservation(textOf(message.content));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
