/**
 * A scripted server of OpenAI's chat completions, for tests of everything that calls a model:
 *
 *   const server = await openAiServer({ answer: ({ texts }) => "…", script: [{ kind: "status", status: 429 }] });
 *   const models = openModels(db, { settings: settingsFor(server), sleep: noSleep });
 *   await models.model("test").chat(…);
 *   await server.close();
 *
 * `settingsFor` has one endpoint "local", one model "test", and that model in every role.
 */
import { z } from "zod";
import { type ModelSettings, settingsSchema } from "@/lib/model/chat/settings";
import { ROLE_NAMES } from "@/lib/model/chat/types";
import { type Protocol, type ScriptedOptions, type ScriptedServer, scriptedServer, WireError } from "./server";

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string().nullable(),
    /** vLLM's and others' own. */
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content: z.string(), tool_call_id: z.string().min(1) }),
]);

/** What we send of OpenAI's request, and vLLM's chat_template_kwargs. */
const requestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string()).max(4).optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
  chat_template_kwargs: z.strictObject({ enable_thinking: z.boolean() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        function: z.strictObject({
          name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal("object") }),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
});
export type OpenAiBody = z.output<typeof requestSchema>;

const FINISH = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;

const protocol: Protocol<OpenAiBody> = {
  read({ path, headers, json }) {
    if (path !== "/v1/chat/completions") throw new WireError(404, `there is nothing at ${path}`);
    if (!headers["content-type"]?.startsWith("application/json"))
      throw new WireError(415, "the content type is not application/json");
    const read = requestSchema.safeParse(json);
    if (!read.success) throw new WireError(400, z.prettifyError(read.error));
    return { body: read.data, texts: read.data.messages.map((m) => m.content ?? "") };
  },
  reply: (body, answer, usage) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: body.model,
    choices: [
      {
        index: 0,
        finish_reason: FINISH[answer.finish ?? (answer.calls?.length ? "tool-calls" : "stop")],
        message: {
          role: "assistant",
          content: answer.text ?? null,
          ...(answer.thinking === undefined ? {} : { reasoning_content: answer.thinking }),
          ...(answer.calls?.length
            ? {
                tool_calls: answer.calls.map(({ id, name, arguments: text }) => ({
                  id,
                  type: "function",
                  function: { name, arguments: text },
                })),
              }
            : {}),
        },
      },
    ],
    ...(usage
      ? {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: (usage.input ?? 0) + (usage.output ?? 0),
            ...(usage.cached === null ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
            ...(usage.reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
          },
        }
      : {}),
  }),
  empty: () => ({ id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000, model: "test", choices: [] }),
  error: (status, text) => ({
    error: { message: text, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code: null },
  }),
};

/** Starts the server; its base address for settings is `origin` + "/v1". */
export const openAiServer = (options: ScriptedOptions<OpenAiBody> = {}): Promise<ScriptedServer<OpenAiBody>> =>
  scriptedServer(protocol, options);

/** Settings with this server as the only endpoint ("local"), its model "test", and "test" in every role. */
export function settingsFor(
  server: { origin: string },
  endpoint: Record<string, unknown> = {},
  model: Record<string, unknown> = {},
): ModelSettings {
  return settingsSchema.parse({
    endpoints: [{ name: "local", kind: "openai", baseUrl: `${server.origin}/v1`, concurrency: 8, ...endpoint }],
    models: [{ name: "test", endpoint: "local", id: "test-model", ...model }],
    roles: Object.fromEntries(ROLE_NAMES.map((role) => [role, { model: "test" }])),
  });
}

/** A sleep that takes no time, for `openModels`. */
export const noSleep = async (_ms: number, signal?: AbortSignal): Promise<void> => signal?.throwIfAborted();
