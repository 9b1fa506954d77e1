import "server-only";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { Endpoint, Model } from "./settings";
import type { Thinking } from "./types";

/** Tokens a model may think, where the protocol wants a number. */
const BUDGET: Record<"low" | "medium" | "high", number> = { low: 2048, medium: 8192, high: 24_576 };

/** The SDK's model of an endpoint. `key` null: none is sent. */
export function languageModel(
  endpoint: Endpoint,
  model: Model,
  key: string | null,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const baseURL = endpoint.baseUrl;
  switch (endpoint.kind) {
    case "openai":
      return createOpenAICompatible({ name: "openai", baseURL, apiKey: key ?? undefined, fetch }).chatModel(model.id);
    // An empty key, not an absent one: for that the SDK would look into variables that nobody named.
    case "anthropic":
      return createAnthropic({ baseURL, apiKey: key ?? "", fetch }).languageModel(model.id);
    case "google":
      return createGoogleGenerativeAI({ baseURL, apiKey: key ?? "", fetch }).languageModel(model.id);
  }
}

/** Claude models that are given a number of tokens; later ones decide themselves, by an effort. */
const CLAUDE_WITH_BUDGET = /claude-(?:3|instant|v?2|[a-z]+-4(?:$|-(?:[0-5](?!\d)|20\d{6})))/;

/** A thinking level in the words of the endpoint's protocol; undefined: nothing is said. */
export function thinkingOptions(
  endpoint: Endpoint,
  model: Model,
  thinking: Thinking,
): SharedV3ProviderOptions | undefined {
  if (thinking === "default") return undefined;
  switch (endpoint.kind) {
    case "openai":
      return {
        openai:
          model.thinkingBy === "template"
            ? { chat_template_kwargs: { enable_thinking: thinking !== "off" } }
            : { reasoningEffort: thinking === "off" ? "none" : thinking },
      };
    case "anthropic": {
      if (thinking === "off") return { anthropic: { thinking: { type: "disabled" } } };
      if (model.id.includes("claude") && !CLAUDE_WITH_BUDGET.test(model.id))
        return { anthropic: { thinking: { type: "adaptive", display: "summarized" }, effort: thinking } };
      return { anthropic: { thinking: { type: "enabled", budgetTokens: BUDGET[thinking] } } };
    }
    case "google": {
      const byTokens = /gemini-2/.test(model.id);
      if (thinking === "off")
        return { google: { thinkingConfig: byTokens ? { thinkingBudget: 0 } : { thinkingLevel: "minimal" } } };
      return {
        google: {
          thinkingConfig: {
            includeThoughts: true,
            ...(byTokens ? { thinkingBudget: BUDGET[thinking] } : { thinkingLevel: thinking }),
          },
        },
      };
    }
  }
}
