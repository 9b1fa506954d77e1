import "server-only";
import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { generateText, jsonSchema, type ModelMessage, type ToolSet, tool, wrapLanguageModel } from "ai";
import { languageModel, thinkingOptions } from "./provider";
import type { Endpoint, Model } from "./settings";
import { callMetadata, keepSignatures, signedThinking, thinkingOf } from "./signatures";
import { readUsage } from "./tokens";
import type { CallUsage, ChatMessage, ChatRequest, ToolCall } from "./types";

// The SDK prints its warnings; ours go to the ledger.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** A reply as it was read off the wire. */
export interface WireReply {
  text: string;
  thinking: string | null;
  calls: ToolCall[];
  finish: string;
  usage: CallUsage;
  /** What the SDK left out of the request or changed in it, in words. */
  warnings: string[];
}

function toSdk(message: ChatMessage, model: string): ModelMessage {
  switch (message.role) {
    case "system":
    case "user":
      return message;
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.thinking ? signedThinking(model, message.thinking) : []).map(({ text, metadata }) => ({
            type: "reasoning" as const,
            text,
            providerOptions: metadata,
          })),
          ...(message.content ? [{ type: "text" as const, text: message.content }] : []),
          // Arguments go as they were written; the providers parse them where the protocol wants an object.
          ...(message.calls ?? []).map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.name,
            input: call.arguments,
            providerOptions: callMetadata(model, call.id, call.arguments),
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.callId,
            toolName: message.name,
            output: { type: "text", value: message.content },
          },
        ],
      };
  }
}

function toolSet(request: ChatRequest): ToolSet | undefined {
  if (!request.tools?.length) return undefined;
  // Without `execute` the SDK hands the calls back instead of running anything.
  return Object.fromEntries(
    request.tools.map((offer) => [
      offer.name,
      tool({ description: offer.description, inputSchema: jsonSchema(offer.parameters) }),
    ]),
  );
}

/** One try: one HTTP exchange through the SDK's provider. Rejects with whatever went wrong; see `retry.ts`. */
export async function ask(
  place: { endpoint: Endpoint; model: Model; key: string | null },
  request: ChatRequest,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): Promise<WireReply> {
  // Kept apart because generateText parses the arguments of calls, and a policy's are needed as they were written.
  let raw: LanguageModelV3GenerateResult | undefined;
  const model = wrapLanguageModel({
    model: languageModel(place.endpoint, place.model, place.key, fetch),
    middleware: {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        raw = await doGenerate();
        return raw;
      },
    },
  });
  await generateText({
    model,
    messages: request.messages.map((message) => toSdk(message, place.model.id)),
    allowSystemInMessages: true,
    tools: toolSet(request),
    temperature: request.temperature,
    topP: request.topP,
    maxOutputTokens: request.maxOutputTokens,
    seed: request.seed,
    stopSequences: request.stop,
    maxRetries: 0,
    abortSignal: signal,
    providerOptions: thinkingOptions(place.endpoint, place.model, request.thinking ?? "default"),
  });
  if (!raw) throw new Error("the provider gave no reply");
  const { content } = raw;
  keepSignatures(place.model.id, content);
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    thinking: thinkingOf(content),
    calls: content.flatMap((part) =>
      part.type === "tool-call" ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input ?? "" }] : [],
    ),
    finish: raw.finishReason.unified === "error" ? "other" : raw.finishReason.unified,
    usage: readUsage(place.endpoint.kind, raw.response?.body),
    warnings: raw.warnings.map((warning) =>
      warning.type === "other"
        ? warning.message
        : `${warning.feature} is not supported${"details" in warning && warning.details ? `: ${warning.details}` : ""}`,
    ),
  };
}
