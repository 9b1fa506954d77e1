import { z } from "zod";
import type { ChatModel } from "@/lib/model/chat/types";
import { type AskOptions, askRole } from "@/lib/model/role/ask";
import { readJson } from "@/lib/model/role/json";
import { type ModelRole, versionOf } from "@/lib/model/role/types";
import { DATA_ONLY } from "@/lib/profile/roles/transcript";
import type { RubricWriter } from "@/lib/reward/types";

/** Weights that each category allows (recipe 5). */
const WEIGHTS: Record<string, readonly number[]> = {
  Essential: [5],
  Important: [3, 4],
  Optional: [1, 2],
  Pitfall: [-1, -2],
};
const CATEGORY = /^(Essential|Important|Optional|Pitfall) Criteria:\s*\S/;

const item = z
  .strictObject({
    title: z
      .string()
      .trim()
      .refine((title) => /^\S+(?:\s+\S+){1,3}$/.test(title), "is 2 to 4 words"),
    description: z.string().trim().regex(CATEGORY, 'starts with its category, as in "Essential Criteria: …"'),
    weight: z.number().int(),
  })
  .refine(({ description, weight }) => WEIGHTS[CATEGORY.exec(description)?.[1] ?? ""]?.includes(weight) ?? false, {
    message: "the weight is not one of its category: Essential 5, Important 3 or 4, Optional 1 or 2, Pitfall -1 or -2",
    path: ["weight"],
  });

/** A rubric as a model writes it (recipe 11.7); everything that recipe 5 says to enforce is checked. */
export const writtenRubric = z.strictObject({
  tests_weight: z.number().min(0.5).max(1),
  rubrics: z.array(item).min(7).max(20),
});

const SYSTEM = [
  "You write a rubric by which the work of an agent on a task in a Linux terminal is rated. The rater sees the agent's commands and their outputs, and nothing else.",
  "You are given the task, one reference solution and the tests. The tests run anyway; the rubric is for what they do not show.",
  "Rules for the items:",
  "- Each can be understood by itself and decided from commands and outputs.",
  "- Where the task names paths, formats or values, use exactly those.",
  "- Another way to the goal than the reference's must not lose points.",
  "- No item says that hidden tests pass. Checks that the agent makes itself may be asked for.",
  "- Nothing rewards length, many steps or much text.",
  "- Copy no large parts of the task, the solution or the tests.",
  "tests_weight says how much the tests' outcome counts against the rubric: the better the tests cover what matters, the higher.",
  "",
  "Answer with one JSON object and nothing else:",
  '{"tests_weight": a number from 0.5 to 1.0, "rubrics": [7 to 20 items {"title": 2 to 4 words, "description": one sentence, "weight": an integer}]}',
  'A description starts with its category, and the category gives the weight: "Essential Criteria:" 5, "Important Criteria:" 3 or 4, "Optional Criteria:" 1 or 2, "Pitfall Criteria:" -1 or -2.',
].join("\n");

type Input = Parameters<RubricWriter["write"]>[0];

/** Recipe 11.7. */
export const rubricWriterRole: ModelRole<Input, z.output<typeof writtenRubric>> = {
  role: "rubric-writer",
  version: "1",
  messages: ({ instruction, solution, tests }) => [
    { role: "system", content: SYSTEM },
    {
      role: "user",
      content: [
        DATA_ONLY,
        "# Task",
        instruction,
        "",
        "# Reference solution",
        solution ?? "(there is none)",
        "",
        "# Tests",
        tests ?? "(there are none)",
        "",
        "Write the rubric.",
      ].join("\n"),
    },
  ],
  parse: (reply) => readJson(reply, writtenRubric),
};

/** A chat model as the writer of rubrics. */
export const modelRubricWriter = (
  model: ChatModel,
  { id, subject, ...options }: AskOptions & { id?: string },
): RubricWriter => ({
  kind: "model",
  name: model.name,
  version: versionOf(rubricWriterRole, id),
  async write(input) {
    const about = subject ?? input.environment.name;
    const { output, callId } = await askRole(model, rubricWriterRole, input, { ...options, subject: about });
    return { rubric: { testsWeight: output.tests_weight, items: output.rubrics }, callId };
  },
});
