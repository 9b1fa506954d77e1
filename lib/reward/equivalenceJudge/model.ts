import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { withoutThinking } from "@/lib/model/role/json";
import { type ModelRole, type Parsed, versionOf } from "@/lib/model/role/types";
import { DATA_ONLY } from "@/lib/profile/roles/transcript";
import type { EquivalenceJudge } from "@/lib/reward/types";

const SYSTEM = [
  "Two commands are proposed as the next step of the same task in a Linux terminal: gold (A) and candidate (B). Decide whether B does what A does. Only the commands count.",
  "Decide in this order; the first difference ends it as different:",
  "1. Kind, by A: does it write code or content, or does it run commands?",
  "2. Stage: explore, write, execute, verify.",
  "3. Type of action: diagnostic, install, search, modify, back up or restore, test of edge cases, stress test.",
  "4. Scope: not more than half as much again, nor less than half.",
  "5. What it comes to. Code: same approach, same output, all key functions, no critical fault. Commands: same operation, same outcome, same purpose.",
  "No difference: other flags, another tool or way to install for the same end, other line ranges or file names, cosmetics with the same outcome.",
  "Explain in a few sentences, then end with the verdict alone on the last line: [[A=B]] if they are equivalent, [[A!=B]] if they differ.",
].join("\n");

/** The verdict is looked for in this many characters at the end first. */
const TAIL = 200;

/** The rightmost verdict of the reply's end, else the first in the text. */
export function readVerdict(reply: string): Parsed<boolean> {
  const text = withoutThinking(reply);
  if (text === null) return { ok: false, reason: "the reply ends inside its thinking" };
  const label = /\[\[\s*A\s*(!=|=)\s*B\s*\]\]/g;
  const late = [...text.slice(-TAIL).matchAll(label)].at(-1);
  const first = late ?? [...text.matchAll(label)][0];
  if (!first) return { ok: false, reason: "the reply holds neither [[A=B]] nor [[A!=B]]" };
  return { ok: true, output: first[1] === "=", repairs: late ? [] : ["the verdict was not at the end of the reply"] };
}

type Input = Parameters<EquivalenceJudge["compare"]>[0];

/** Recipe 11.9. */
export const equivalenceRole: ModelRole<Input, boolean> = {
  role: "equivalence-judge",
  version: "1",
  messages: ({ gold, candidate }) => [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: [
        DATA_ONLY,
        `A (gold): ${JSON.stringify({ command: gold })}`,
        `B (candidate): ${JSON.stringify({ command: candidate })}`,
        "",
        "Is B equivalent to A?",
      ].join("\n"),
    },
  ],
  parse: readVerdict,
};

/** A chat model as the judge of equivalence. */
export const modelEquivalenceJudge = (
  model: ChatModel,
  { id, subject, ...options }: AskOptions & { id?: string },
): EquivalenceJudge => ({
  kind: "model",
  name: model.name,
  version: versionOf(equivalenceRole, id),
  async compare(input) {
    const about = subject ?? input.prefix.environment.name;
    const { output, reply, callId } = await askRole(model, equivalenceRole, input, { ...options, subject: about });
    return { equivalent: output, reason: withoutThinking(reply), callId };
  },
});
