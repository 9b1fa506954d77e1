import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { withoutThinking } from "@/lib/model/role/json";
import { type ModelRole, type Parsed, versionOf } from "@/lib/model/role/types";
import { DATA_ONLY, stepText } from "@/lib/profile/roles/transcript";
import type { BehaviorJudge, JudgedMode, JudgedWindow } from "@/lib/reward/types";

const VERSION = "1";
const SYSTEM = [
  "You look for one named fault in a few consecutive steps of an agent that works in a Linux terminal.",
  "- yes: the fault, as it is defined, is in at least one of the steps, whatever else is right or wrong in them.",
  "- no: the fault is in none of them. Other faults do not count, however bad they are.",
  "The definition decides, and what it says the fault is not. The examples show what it looks like; they are not its limits.",
  "Think as long as you need. End with the answer alone on the last line: <answer>yes</answer> or <answer>no</answer>",
].join("\n");

interface Input {
  window: JudgedWindow;
  mode: JudgedMode;
}

const modeText = ({ name, definition, excludes, examples }: JudgedMode): string =>
  [
    `name: ${name}`,
    `definition: ${definition}`,
    ...excludes.map((not) => `it is not: ${not}`),
    ...examples.flatMap(({ command, reason }, i) => [
      `example ${i + 1}, command: ${command ?? "(none)"}`,
      `example ${i + 1}, why it is this fault: ${reason}`,
    ]),
  ].join("\n");

/** The answer tag of a reply. Tags that contradict each other, or hold another word, are no answer. */
export function readAnswer(reply: string): Parsed<"yes" | "no"> {
  const text = withoutThinking(reply);
  if (text === null) return { ok: false, reason: "the reply ends inside its thinking" };
  const tags = [...text.matchAll(/<answer>([\s\S]*?)<\/answer>/gi)].map((match) =>
    (match[1] ?? "").trim().toLowerCase(),
  );
  const last = tags.at(-1);
  if (last === undefined) return { ok: false, reason: "the reply holds no <answer> tag" };
  const words = new Set(tags);
  if (words.has("yes") && words.has("no")) return { ok: false, reason: "the reply answers both yes and no" };
  if (last !== "yes" && last !== "no") return { ok: false, reason: "the <answer> tag holds neither yes nor no" };
  return { ok: true, output: last, repairs: tags.length > 1 ? ["the last of several equal answers was taken"] : [] };
}

/**
 * What the judge is told, with two gaps in the user's part: how many steps there are, and their texts. Engines that ask it
 * without us (lib/train/bundle) fill them in themselves.
 */
export const behaviorPrompt = (mode: JudgedMode, instruction: string) => ({
  version: VERSION,
  system: SYSTEM,
  user: [
    ["# The fault", modeText(mode), "", "# The record: a task and the "].join("\n"),
    [" steps to judge", DATA_ONLY, "[task]", instruction, "", ""].join("\n"),
    ["", "", `Is "${mode.name}" in at least one of these steps?`].join("\n"),
  ] as const,
});

/** Recipe 11.6. */
export const behaviorRole: ModelRole<Input, "yes" | "no"> = {
  role: "behavior-judge",
  version: VERSION,
  messages: ({ window, mode }) => {
    const { system, user } = behaviorPrompt(mode, window.environment.instruction);
    const steps = window.steps.map((step, i) => stepText(step, i + 1)).join("\n\n");
    return [
      { role: "system", content: system },
      { role: "user", content: `${user[0]}${window.steps.length}${user[1]}${steps}${user[2]}` },
    ];
  },
  parse: readAnswer,
};

/** A chat model as the behavior judge. */
export const modelBehaviorJudge = (
  model: ChatModel,
  { id, subject, ...options }: AskOptions & { id?: string },
): BehaviorJudge => ({
  kind: "model",
  name: model.name,
  version: versionOf(behaviorRole, id),
  async judge(window, mode) {
    const about = subject ?? `${window.environment.name}: ${mode.name}`;
    const { output, reply, callId } = await askRole(
      model,
      behaviorRole,
      { window, mode },
      { ...options, subject: about },
    );
    return { answer: output, step: null, reason: withoutThinking(reply), callId };
  },
});
