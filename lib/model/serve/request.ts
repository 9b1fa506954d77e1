import { z } from "zod";
import { ApiError } from "./error";

const part = z.object({ type: z.literal("text"), text: z.string() });
const content = z.union([z.string(), z.array(part)]);

const toolCall = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content }),
  z.object({ role: z.literal("developer"), content }),
  z.object({ role: z.literal("user"), content }),
  z.object({
    role: z.literal("assistant"),
    content: content.nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.object({ role: z.literal("tool"), content, tool_call_id: z.string() }),
]);
export type Message = z.infer<typeof message>;

/** What the policy cannot do is refused, not ignored: an answer that pretends would be measured. */
const zero = z.literal(0, { error: "penalties are not supported" }).nullish();

/** A request to /v1/chat/completions. Fields that it does not name are ignored. */
export const requestSchema = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(z.object({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) })).nullish(),
  tool_choice: z.enum(["auto", "none"], { error: 'must be "auto" or "none": no call can be forced' }).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  frequency_penalty: zero,
  presence_penalty: zero,
  logit_bias: z.record(z.string(), z.never({ error: "is not supported" })).nullish(),
  response_format: z.object({ type: z.literal("text", { error: "only text is supported" }) }).nullish(),
});
export type ChatRequest = z.infer<typeof requestSchema>;

/** The one tool of the policy. */
export const TOOL = "bash";

/** Reads a request. Throws ApiError with the first field at fault. */
export function parseRequest(json: unknown): ChatRequest {
  const read = requestSchema.safeParse(json);
  if (!read.success) {
    const issue = read.error.issues[0];
    const param = issue?.path.join(".") || null;
    throw new ApiError(400, `${param ?? "the request"}: ${issue?.message ?? "is not valid"}`, param);
  }
  const request = read.data;
  if (request.top_logprobs && !request.logprobs)
    throw new ApiError(400, "top_logprobs needs logprobs to be true", "top_logprobs");
  const tools = request.tools ?? [];
  if (tools.length > 0 && !tools.some((tool) => tool.function.name === TOOL))
    throw new ApiError(400, `the policy knows one tool, "${TOOL}"; the request offers none of that name`, "tools");
  return request;
}
