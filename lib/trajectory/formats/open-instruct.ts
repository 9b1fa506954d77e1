import { emptyStep, emptyTrajectory } from "@/lib/trajectory/build";
import { setReward } from "@/lib/trajectory/outcome";
import { splitThinking } from "@/lib/trajectory/text";
import { isArray, isObject, nameAt, stringAt, without } from "@/lib/trajectory/value";
import { type DocumentFormat, given, refused } from "./module";

/** Fields under which somebody may have added the decoded text. */
const PROMPTS = ["prompt_text", "decoded_prompt", "prompt", "prompt_str"];
const RESPONSES = ["response_text", "decoded_response", "response", "completion", "response_str"];

/** open-instruct rollout records: token ids. Read only when the decoded text stands beside them. */
export const openInstruct: DocumentFormat = {
  id: "open-instruct",
  detect: (value) => isObject(value) && isArray(value.response_tokens) && isArray(value.prompt_tokens),
  *parse(value, context) {
    if (!isObject(value)) return;
    const text = (names: string[]) =>
      names.map((name) => stringAt(value, name)).find((found) => found !== null) ?? null;
    const prompt = text(PROMPTS);
    const response = text(RESPONSES);
    if (response === null) {
      yield refused(
        "",
        "an open-instruct rollout record: token ids without their text",
        "Decode prompt_tokens and response_tokens with the run's tokenizer into prompt_text and response_text, and import that.",
      );
      return;
    }
    const trajectory = emptyTrajectory("open-instruct");
    trajectory.name = `${nameAt(value, "step") ?? "?"}/${nameAt(value, "sample_idx") ?? context.file}`;
    trajectory.task = nameAt(value, "prompt_idx");
    trajectory.dataset = nameAt(value, "dataset");
    trajectory.exitStatus = nameAt(value, "finish_reason");
    setReward(trajectory, value.reward, "/reward");
    if (prompt !== null) trajectory.steps.push({ ...emptyStep("user", null), message: prompt });
    const split = splitThinking(response);
    trajectory.steps.push({
      ...emptyStep("agent", 0),
      thinking: split?.thinking ?? null,
      message: split?.message ?? response,
    });
    trajectory.warnings.push({
      path: "",
      message:
        "the rollout is one text: its tool calls and their results were not taken apart; token ids and log probabilities were left out",
    });
    trajectory.source = without(value, "prompt_tokens", "response_tokens", "logprobs", ...PROMPTS, ...RESPONSES);
    yield given(trajectory);
  },
};
