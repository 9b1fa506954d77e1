import { z } from "zod";
import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { readJson } from "@/lib/model/role/json";
import { type ModelRole, versionOf } from "@/lib/model/role/types";
import { DATA_ONLY, stepText } from "@/lib/profile/roles/transcript";
import type { RubricJudge } from "@/lib/reward/types";

const rating = z.strictObject({ rating: z.number().int().min(1).max(10) });

const SYSTEM = [
  "You rate the work of an agent on a task in a Linux terminal by a rubric. You see its commands and their outputs.",
  "Look at all items together, with their weights: a high weight matters much, a negative one is a fault that must not be there. Give one rating for the whole, an integer from 1 (nothing is met) to 10 (everything is).",
  "Claims of the agent count for nothing; what the outputs show counts.",
  "Begin your answer with exactly this block, with your rating in it; a short explanation may follow:",
  "```json",
  '{"rating": 1}',
  "```",
].join("\n");

type Input = Parameters<RubricJudge["rate"]>[0];

/** Recipe 11.8. */
export const rubricJudgeRole: ModelRole<Input, { rating: number }> = {
  role: "rubric-judge",
  version: "1",
  messages: ({ instruction, rubric, steps }) => [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: [
        "# Rubric",
        ...rubric.items.map(({ title, description, weight }, i) => `${i + 1}. [${weight}] ${title}: ${description}`),
        "",
        DATA_ONLY,
        "# Task",
        instruction,
        "",
        "# What was done",
        steps
          .filter((step) => step.kind === "agent")
          .map((step, i) => stepText({ ...step, thinking: null, message: null }, i + 1))
          .join("\n\n"),
        "",
        "Give the rating.",
      ].join("\n"),
    },
  ],
  parse: (reply) => readJson(reply, rating),
};

/** A chat model as the rater by rubrics. */
export const modelRubricJudge = (
  model: ChatModel,
  { id, subject, ...options }: AskOptions & { id?: string },
): RubricJudge => ({
  kind: "model",
  name: model.name,
  version: versionOf(rubricJudgeRole, id),
  async rate(input) {
    const about = subject ?? input.environment.name;
    const { output, callId } = await askRole(model, rubricJudgeRole, input, { ...options, subject: about });
    return { rating: output.rating, callId };
  },
});
