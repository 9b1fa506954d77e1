import { z } from "zod";
import { type Protocol, type ScriptedOptions, type ScriptedServer, scriptedServer, WireError } from "./server";

/*
 * Anthropic's Messages API, from its public reference (POST /v1/messages): the fields that we send, with the rules that
 * the reference gives for them. A field that is not named here is refused.
 */

const text = z.strictObject({ type: z.literal("text"), text: z.string().min(1) });
const thinkingBlock = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().min(1),
});
const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
});
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(text)]).optional(),
  is_error: z.boolean().optional(),
});

const requestSchema = z.strictObject({
  model: z.string().min(1).max(256),
  max_tokens: z.number().int().min(1),
  system: z.union([z.string(), z.array(text)]).optional(),
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({
          role: z.literal("user"),
          content: z.union([z.string(), z.array(z.union([text, toolResult])).min(1)]),
        }),
        z.strictObject({
          role: z.literal("assistant"),
          content: z.union([z.string(), z.array(z.union([text, thinkingBlock, toolUse])).min(1)]),
        }),
      ]),
    )
    .min(1),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  stream: z.literal(false).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal("object") }),
      }),
    )
    .optional(),
  tool_choice: z.strictObject({ type: z.enum(["auto", "any", "none"]) }).optional(),
  thinking: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("enabled"), budget_tokens: z.number().int().min(1024) }),
      z.strictObject({ type: z.literal("disabled") }),
      z.strictObject({ type: z.literal("adaptive"), display: z.enum(["summarized", "omitted"]).optional() }),
    ])
    .optional(),
  output_config: z.strictObject({ effort: z.enum(["low", "medium", "high", "max"]) }).optional(),
});
export type AnthropicBody = z.output<typeof requestSchema>;

type Message = AnthropicBody["messages"][number];
const blocks = (message: Message | undefined) =>
  typeof message?.content === "string" ? [{ type: "text" as const, text: message.content }] : (message?.content ?? []);

/** What the reference says of messages and of thinking together. */
function checkRules(body: AnthropicBody): void {
  const fault = (message: string) => {
    throw new WireError(400, message);
  };
  if (body.messages[0]?.role !== "user") fault("messages: the first message is the user's");
  const thinks = body.thinking?.type === "enabled" || body.thinking?.type === "adaptive";
  if (thinks && body.temperature !== undefined && body.temperature !== 1)
    fault("temperature: may only be 1 when thinking is enabled");
  if (body.thinking?.type === "enabled" && body.thinking.budget_tokens >= body.max_tokens)
    fault("max_tokens: must be greater than thinking.budget_tokens");
  body.messages.forEach((message, at) => {
    const calls = blocks(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const next = blocks(body.messages[at + 1]);
    const answered = next.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    for (const id of calls)
      if (!answered.includes(id)) fault(`messages.${at}: tool_use ${id} has no tool_result right after it`);
    if (next.slice(0, answered.length).some((block) => block.type !== "tool_result") && message.role === "assistant")
      fault(`messages.${at + 1}: tool results come first`);
    const last = body.messages.findLastIndex((m) => m.role === "assistant");
    if (thinks && calls.length > 0 && at === last && blocks(message)[0]?.type !== "thinking")
      fault(`messages.${at}: expected a thinking block before tool_use when thinking is enabled`);
  });
}

const STOP = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;

const protocol: Protocol<AnthropicBody> = {
  read({ path, headers, json }) {
    if (path !== "/v1/messages") throw new WireError(404, `there is nothing at ${path}`);
    if (!headers["x-api-key"]) throw new WireError(401, "x-api-key header is required");
    if (headers.authorization) throw new WireError(400, "authorization beside x-api-key");
    if (headers["anthropic-version"] !== "2023-06-01")
      throw new WireError(400, "anthropic-version: header is required");
    if (headers["content-type"] !== "application/json") throw new WireError(400, "content-type is not JSON");
    const read = requestSchema.safeParse(json);
    if (!read.success) throw new WireError(400, z.prettifyError(read.error));
    checkRules(read.data);
    const texts = read.data.messages.flatMap((message) =>
      blocks(message).map((block) =>
        block.type === "text"
          ? block.text
          : block.type === "tool_result"
            ? typeof block.content === "string"
              ? block.content
              : (block.content ?? []).map((part) => part.text).join("")
            : "",
      ),
    );
    return { body: read.data, texts };
  },
  reply: (body, answer, usage) => ({
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [
      ...(answer.thinking === undefined
        ? []
        : [{ type: "thinking", thinking: answer.thinking, signature: `signed:${answer.thinking}` }]),
      ...(answer.text === undefined ? [] : [{ type: "text", text: answer.text }]),
      ...(answer.calls ?? []).map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments),
      })),
    ],
    stop_reason: STOP[answer.finish ?? (answer.calls?.length ? "tool-calls" : "stop")],
    stop_sequence: null,
    // The reference has no reply without counts; one without is a fault that a test asks for.
    ...(usage
      ? {
          usage: {
            input_tokens: (usage.input ?? 0) - (usage.cached ?? 0),
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: usage.cached ?? 0,
            output_tokens: usage.output ?? 0,
          },
        }
      : { usage: { input_tokens: null, output_tokens: null } }),
  }),
  empty: () => ({ type: "message", id: "msg_01" }),
  error: (status, message) => ({
    type: "error",
    error: {
      type: status === 429 ? "rate_limit_error" : status === 529 ? "overloaded_error" : "invalid_request_error",
      message,
    },
    request_id: "req_01",
  }),
};

/** A scripted server of Anthropic's Messages API; its base address for settings is `origin` + "/v1". */
export const anthropicServer = (options: ScriptedOptions<AnthropicBody> = {}): Promise<ScriptedServer<AnthropicBody>> =>
  scriptedServer(protocol, options);
