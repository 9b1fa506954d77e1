import type { ToolCall, ToolOffer } from "@/lib/model/chat/types";
import { FORMAT_MESSAGE, SYSTEM_MESSAGE } from "@/lib/profile/proposal";
import { type Dialect, hasNul, NUL_FAULT, noCommand, observationOf, partsOf, severalCommands } from "./dialect";

/** The one tool of a policy (recipe 2). */
export const BASH: ToolOffer = {
  name: "bash",
  description:
    "Runs one bash command and gives back its output and exit code. Directory and exported variables persist.",
  parameters: {
    type: "object",
    properties: { command: { type: "string", description: "The command to run." } },
    required: ["command"],
  },
};

/** The command of a call, or why there is none. Arguments are not mended: what does not parse did not work for the policy. */
function commandOf(call: ToolCall): { command: string } | { fault: string } {
  if (call.name !== BASH.name) return { fault: `a call of "${call.name}", which is not offered` };
  let value: unknown;
  try {
    value = JSON.parse(call.arguments);
  } catch {
    return { fault: "the arguments of the call are no JSON" };
  }
  const command = value !== null && typeof value === "object" && "command" in value ? value.command : undefined;
  if (typeof command !== "string") return { fault: 'the arguments of the call have no text "command"' };
  return hasNul(command) ? { fault: NUL_FAULT } : { command };
}

const idOf = (at: number): string => `call_${String(at).padStart(9, "0")}`;

/** Native tool calls. */
export const toolsDialect: Dialect = {
  name: "tools",
  harness: {
    system: `${SYSTEM_MESSAGE}\nRun a command by calling the tool bash, once in each reply.`,
    formatMessage: FORMAT_MESSAGE,
  },
  tools: [BASH],
  read(reply) {
    const { thinking, text } = partsOf(reply);
    const [first] = reply.calls;
    const read = first ? commandOf(first) : { fault: "the reply calls no tool" };
    const command = "command" in read ? read.command : null;
    const formatError =
      "fault" in read
        ? noCommand(reply, read.fault)
        : reply.calls.length > 1
          ? severalCommands(reply.calls.length)
          : null;
    return {
      thinking,
      command,
      message: text === "" ? null : text,
      formatError,
      reply: formatError === null || reply.calls.length === 0 ? null : JSON.stringify(reply.calls),
    };
  },
  say(step, at) {
    const thinking = step.thinking ?? undefined;
    const content = step.message ?? "";
    const command = step.call?.command ?? null;
    if (command === null) return [{ role: "assistant", content: content === "" ? "(no command)" : content, thinking }];
    const call = { id: idOf(at), name: BASH.name, arguments: JSON.stringify({ command }) };
    return [
      { role: "assistant", content, thinking, calls: [call] },
      { role: "tool", callId: call.id, name: BASH.name, content: observationOf(step) },
    ];
  },
};
