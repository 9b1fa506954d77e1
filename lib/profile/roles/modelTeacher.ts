import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { type ModelRole, type Parsed, versionOf } from "@/lib/model/role/types";
import { splitThinking } from "@/lib/profile/policies/chat/dialect";
import { fencedDialect, qwenDialect } from "@/lib/profile/policies/chat/text";
import type { Prefix, Proposal, Teacher } from "@/lib/profile/roles";
import { DATA_ONLY, prefixText } from "./transcript";

const SYSTEM = [
  "You are an experienced engineer who takes over one step of a task in a Linux terminal. You see everything that was done so far and what came back.",
  "Write the step that is right to take next, from this state.",
  "- Do not do again what the output shows to be done.",
  "- Take a small step whose result can be checked; look before you act on something that nobody has looked at.",
  "- Do not end the task before its result has been verified. To end it, the command is, alone: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
  "",
  "Answer with a short <think>…</think> block of one or two sentences, and after it exactly one bash command in a fenced block:",
  "<think>",
  "what the state is and what the next step has to show",
  "</think>",
  "```bash",
  "the command",
  "```",
  "The command may chain parts with && or ;. There is one block and nothing after it.",
].join("\n");

type Step = { thinking: string | null; command: string };

function readStep(reply: string): Parsed<Step> {
  const { thinking, rest } = splitThinking(reply);
  const text = { text: rest, thinking: null, calls: [], finish: "stop" };
  const commands = [fencedDialect, qwenDialect].flatMap(({ read }) => {
    const { command, formatError } = read({ ...text, usage: NONE, callId: 0, fromCache: false });
    return command === null ? [] : [{ command, formatError }];
  });
  const [first, second] = commands;
  if (!first) return { ok: false, reason: "the reply holds no fenced bash block" };
  if (second || first.formatError !== null)
    return { ok: false, reason: "the reply holds more than one command; exactly one is asked for" };
  if (first.command.trim() === "") return { ok: false, reason: "the command is empty" };
  return { ok: true, output: { thinking: thinking || null, command: first.command }, repairs: [] };
}
const NONE = { input: null, cached: null, output: null, reasoning: null };

/** Recipe 11.2: it sees the prefix alone. */
export const teacherRole: ModelRole<Prefix, Step> = {
  role: "teacher",
  version: "1",
  messages: (prefix) => [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: [DATA_ONLY, "", "# What was done so far", prefixText(prefix), "", "Write the next step."].join("\n"),
    },
  ],
  parse: readStep,
};

/** A chat model as a teacher. Each try is a fresh sample, never one from the cache. */
export function modelTeacher(
  model: ChatModel,
  { id, ...options }: Omit<AskOptions, "subject" | "cache"> & { id?: string },
): Teacher {
  return {
    kind: "model",
    name: model.name,
    version: versionOf(teacherRole, id),
    async correct(prefix, attempt): Promise<Proposal> {
      const number = prefix.steps.filter((s) => s.kind === "agent").length + 1;
      const subject = `${prefix.environment.name} step ${number}, try ${attempt}`;
      const { output, reply, callId } = await askRole(model, teacherRole, prefix, {
        ...options,
        subject,
        cache: false,
      });
      return { ...output, message: null, formatError: null, reply, usage: null, callId };
    },
  };
}
