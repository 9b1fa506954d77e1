import { entriesOf } from "@/lib/trajectory/groups";
import type { Step } from "@/lib/trajectory/types";

/** A chat message as trainers read it; every key is there, so that columns have one type. */
export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  tool_calls: { id: string; type: "function"; function: { name: "bash"; arguments: { command: string } } }[] | null;
  tool_call_id: string | null;
}

const plain = (role: ChatMessage["role"], content: string): ChatMessage => ({
  role,
  content,
  tool_calls: null,
  tool_call_id: null,
});

/** Thinking stays in earlier turns: the policy is shown them as it wrote them (recipe.md 2). */
const written = (step: Step): string => {
  const thought = step.thinking === null ? "" : `<think>\n${step.thinking}\n</think>\n\n`;
  return `${thought}${step.message ?? ""}`;
};

/** The messages that a policy has seen before it goes on. `instruction` stands in where no user entry is recorded. */
export function messagesOf(seen: readonly Step[], system: string, instruction: string): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (!seen.some((step) => step.kind === "system")) messages.push(plain("system", system));
  if (!seen.some((step) => step.kind === "user" && step.note === null)) messages.push(plain("user", instruction));
  let turn = 0;
  for (const entry of entriesOf(seen)) {
    const [head] = entry;
    if (!head) continue;
    if (head.kind !== "agent") {
      messages.push(plain(head.kind, head.message ?? ""));
      continue;
    }
    const calls = entry.flatMap((step, at) =>
      step.call?.command == null ? [] : [{ id: `call_${turn}_${at}`, command: step.call.command, step }],
    );
    messages.push({
      ...plain("assistant", written(head)),
      tool_calls:
        calls.length === 0
          ? null
          : calls.map(({ id, command }) => ({
              id,
              type: "function",
              function: { name: "bash", arguments: { command } },
            })),
    });
    for (const { id, step } of calls)
      messages.push({
        ...plain("tool", step.observations.map((o) => o.content ?? o.error ?? "").join("\n")),
        tool_call_id: id,
      });
    turn++;
  }
  return messages;
}

/** UTF-8 bytes of what a tokenizer is given, roughly. */
export const bytesOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce((n, m) => n + Buffer.byteLength(JSON.stringify(m)), 0);
