import type { SampledToken } from "@/lib/model/policy/types";
import type { Vocabulary } from "@/lib/model/policy/vocabulary";
import { type Choice, type Piece, tokenLogprob } from "./generate";
import { TOOL } from "./request";

/** What all parts of one answer share. */
export interface Head {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export const usageOf = (prompt: number, completion: number): Usage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

/** How a choice is written. */
export interface Form {
  vocabulary: Vocabulary;
  /** Whether tokens are reported with their log-probabilities. */
  logprobs: boolean;
  /** Without tools a command is written into the text, as a fenced block. */
  tools: boolean;
}

/** Text of the content, and the call; one of the two is where the command goes. */
function partsOf(head: Head, index: number, choice: Choice, { tools }: Form) {
  const { content, command, finish } = choice;
  if (command === null) return { content, tool_calls: undefined, finish_reason: finish };
  if (!tools) return { content: content + fenced(content, command), tool_calls: undefined, finish_reason: "stop" };
  const call = { name: TOOL, arguments: JSON.stringify({ command }) };
  const id = `call_${head.id.replace("chatcmpl-", "")}_${index}`;
  return { content, tool_calls: [{ id, type: "function", function: call }], finish_reason: finish };
}

const fenced = (before: string, command: string): string =>
  `${before === "" ? "" : "\n\n"}\`\`\`bash\n${command}\n\`\`\``;

function logprobsOf({ vocabulary, logprobs }: Form, tokens: readonly SampledToken[]) {
  if (!logprobs) return null;
  const content = tokens.map((token) => ({
    ...tokenLogprob(vocabulary, token),
    top_logprobs: token.top.map((other) => tokenLogprob(vocabulary, other)),
  }));
  return { content, refusal: null };
}

/** A whole answer. */
export function completion(head: Head, choices: readonly Choice[], form: Form, usage: Usage) {
  return {
    ...head,
    object: "chat.completion",
    choices: choices.map((choice, index) => {
      const { content, tool_calls, finish_reason } = partsOf(head, index, choice, form);
      const message = { role: "assistant", content: content === "" ? null : content, refusal: null, tool_calls };
      return { index, message, logprobs: logprobsOf(form, choice.tokens), finish_reason };
    }),
    usage,
  };
}

const chunk = (head: Head, choices: object[], rest: object = {}) => ({
  ...head,
  object: "chat.completion.chunk",
  choices,
  ...rest,
});

/** Opens a choice of a streamed answer. */
export const openingChunk = (head: Head, index: number) =>
  chunk(head, [{ index, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }]);

export const pieceChunk = (head: Head, index: number, { text, tokens }: Piece, form: Form) =>
  chunk(head, [{ index, delta: { content: text }, logprobs: logprobsOf(form, tokens), finish_reason: null }]);

/** The end of a choice: what was not streamed, and why it ended. */
export function closingChunks(head: Head, index: number, choice: Choice, form: Form): object[] {
  const { rest, command } = choice;
  const { content, tool_calls, finish_reason } = partsOf(head, index, choice, form);
  const text = command !== null && !form.tools ? rest.text + content.slice(choice.content.length) : rest.text;
  const delta = {
    ...(text === "" ? {} : { content: text }),
    ...(tool_calls ? { tool_calls: tool_calls.map((call, at) => ({ index: at, ...call })) } : {}),
  };
  const logprobs = logprobsOf(form, rest.tokens);
  const last = Object.keys(delta).length === 0 && rest.tokens.length === 0;
  return [
    ...(last ? [] : [chunk(head, [{ index, delta, logprobs, finish_reason: null }])]),
    chunk(head, [{ index, delta: {}, logprobs: null, finish_reason }]),
  ];
}

export const usageChunk = (head: Head, usage: Usage) => chunk(head, [], { usage });
