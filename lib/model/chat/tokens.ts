import "server-only";
import { z } from "zod";
import type { EndpointKind } from "./settings";
import type { CallUsage } from "./types";

// What is no count is not stated: a null, a text or a negative number must not become a cost.
const count = z.number().int().nonnegative().max(1e9).nullish().catch(null);
const details = z.looseObject({ cached_tokens: count, reasoning_tokens: count }).nullish().catch(null);

const SCHEMAS = {
  openai: z.looseObject({
    usage: z
      .looseObject({
        prompt_tokens: count,
        completion_tokens: count,
        prompt_tokens_details: details,
        completion_tokens_details: details,
      })
      .nullish()
      .catch(null),
  }),
  anthropic: z.looseObject({
    usage: z
      .looseObject({
        input_tokens: count,
        cache_read_input_tokens: count,
        cache_creation_input_tokens: count,
        output_tokens: count,
        output_tokens_details: z.looseObject({ thinking_tokens: count }).nullish().catch(null),
      })
      .nullish()
      .catch(null),
  }),
  google: z.looseObject({
    usageMetadata: z
      .looseObject({
        promptTokenCount: count,
        toolUsePromptTokenCount: count,
        cachedContentTokenCount: count,
        candidatesTokenCount: count,
        thoughtsTokenCount: count,
      })
      .nullish()
      .catch(null),
  }),
};

export const UNKNOWN_USAGE: CallUsage = { input: null, cached: null, output: null, reasoning: null };

const plus = (first: number | null | undefined, ...more: (number | null | undefined)[]): number | null =>
  first == null ? null : more.reduce<number>((sum, n) => sum + (n ?? 0), first);

/** Token counts of a raw reply, as the provider counted them: null where it did not say. The SDK would say 0. */
export function readUsage(kind: EndpointKind, body: unknown): CallUsage {
  switch (kind) {
    case "openai": {
      const usage = SCHEMAS.openai.safeParse(body).data?.usage;
      return {
        input: usage?.prompt_tokens ?? null,
        cached: usage?.prompt_tokens_details?.cached_tokens ?? null,
        output: usage?.completion_tokens ?? null,
        reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? null,
      };
    }
    case "anthropic": {
      // Anthropic counts what was not cached; the contract wants the whole.
      const usage = SCHEMAS.anthropic.safeParse(body).data?.usage;
      return {
        input: plus(usage?.input_tokens, usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens),
        cached: usage?.cache_read_input_tokens ?? null,
        output: usage?.output_tokens ?? null,
        reasoning: usage?.output_tokens_details?.thinking_tokens ?? null,
      };
    }
    case "google": {
      // Thoughts are counted apart from the candidates; cached tokens are inside the prompt's.
      const usage = SCHEMAS.google.safeParse(body).data?.usageMetadata;
      return {
        input: plus(usage?.promptTokenCount, usage?.toolUsePromptTokenCount),
        cached: usage?.cachedContentTokenCount ?? null,
        output: plus(usage?.candidatesTokenCount, usage?.thoughtsTokenCount),
        reasoning: usage?.thoughtsTokenCount ?? null,
      };
    }
  }
}
