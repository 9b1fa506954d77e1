import { z } from "zod";
import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { readJson } from "@/lib/model/role/json";
import { type ModelRole, versionOf } from "@/lib/model/role/types";
import type { Judgement, Localizer, Prefix, Proposal } from "@/lib/profile/roles";
import { oneLine } from "@/lib/profile/rules/finding";
import { DATA_ONLY, prefixText, proposalText } from "./transcript";

const answer = z.object({
  command_seen: z.string().trim().min(1),
  reason: z.string().trim().min(1),
  verdict: z.preprocess((v) => (typeof v === "string" ? v.trim().toLowerCase() : v), z.enum(["good", "bad"])),
});

const SYSTEM = [
  "You judge one step of an agent that works on a task in a Linux terminal. A step is a short thought and one command.",
  "You see what the agent had seen until then, and the step it is about to take. The step has not run: judge it by what could be known at that moment. You do not know how the work ended, and it does not matter.",
  "",
  "good: an experienced engineer, standing exactly there, might plausibly take this step.",
  "bad: the step cannot work from this state; or it may work, but makes failure more likely, and such an engineer would not take it. Examples: acting on something that was never looked at; one large script where pieces could be checked one by one; declaring the work done without having seen a real result; trying again what just failed for a reason that still holds; a reply without a command where the agent was told to give one.",
  "Being slow, being careful, or going another way than you would is no fault.",
  "",
  "Think for 150 words at most. Then answer with one JSON object and nothing else, its keys in this order:",
  '{"command_seen": "what the command does, in one line", "reason": "one sentence why it is good or bad; never empty", "verdict": "good" or "bad"}',
  "Before you write the verdict, hold it against your own command_seen: is it about what the command really does?",
].join("\n");

interface Input {
  prefix: Prefix;
  proposal: Proposal;
}

/** Recipe 11.1. */
export const localizerRole: ModelRole<Input, z.output<typeof answer>> = {
  role: "localizer",
  version: "1",
  messages: ({ prefix, proposal }) => [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: [
        DATA_ONLY,
        "",
        "# What the agent had seen",
        prefixText(prefix),
        "",
        "# The step to judge",
        proposalText(proposal),
        "",
        "Is this step good or bad? Answer with the JSON object.",
      ].join("\n"),
    },
  ],
  parse: (reply) => readJson(reply, answer, { same: (one, other) => one.verdict === other.verdict }),
};

/** A chat model as a localizer: judges without hindsight, names no misbehavior (the annotator does). */
export function modelLocalizer(
  model: ChatModel,
  { id, ...options }: Omit<AskOptions, "subject"> & { id?: string },
): Localizer {
  return {
    kind: "model",
    name: model.name,
    version: versionOf(localizerRole, id),
    async judge(prefix, proposal, subject): Promise<Judgement> {
      const about =
        subject ?? `${prefix.environment.name} step ${prefix.steps.filter((s) => s.kind === "agent").length + 1}`;
      const { output, reply, callId } = await askRole(
        model,
        localizerRole,
        { prefix, proposal },
        { ...options, subject: about },
      );
      return {
        verdict: output.verdict,
        commandSeen: oneLine(output.command_seen, 300),
        reason: output.reason,
        findings: [],
        reply,
        usage: null,
        callId,
      };
    },
  };
}
