import "server-only";
import { createHash } from "node:crypto";
import type { LanguageModelV3Content, SharedV3ProviderMetadata } from "@ai-sdk/provider";

/** Replies whose signatures are kept; the oldest go first. */
const KEPT = 20_000;

/** A block of thinking with what its provider wants back beside it. */
export interface SignedThinking {
  text: string;
  metadata: SharedV3ProviderMetadata | undefined;
}

const thoughts = new Map<string, SignedThinking[]>();
const calls = new Map<string, SharedV3ProviderMetadata>();

const keyOf = (...parts: string[]) => createHash("sha256").update(JSON.stringify(parts)).digest("base64");

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > KEPT) {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
}

/** The thinking of a reply as one text; null when there is none that can be read. */
export function thinkingOf(content: LanguageModelV3Content[]): string | null {
  const texts = content.flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part.text] : []));
  return texts.length > 0 ? texts.join("\n\n") : null;
}

/**
 * Keeps the signatures of a reply, in memory: Anthropic and Google sign what a model thought and want it back with the
 * signature when the chat goes on after a tool call. A ChatMessage has only the text; a chat that goes on in another
 * process goes on without signatures.
 */
export function keepSignatures(model: string, content: LanguageModelV3Content[]): void {
  const thinking = thinkingOf(content);
  const blocks = content.flatMap((part) =>
    part.type === "reasoning" ? [{ text: part.text, metadata: part.providerMetadata }] : [],
  );
  if (thinking !== null && blocks.some((block) => block.metadata)) keep(thoughts, keyOf(model, thinking), blocks);
  for (const part of content)
    if (part.type === "tool-call" && part.providerMetadata)
      keep(calls, keyOf(model, part.toolCallId, part.input), part.providerMetadata);
}

/** The blocks that a thinking text was made of; unsigned when they are not known. */
export const signedThinking = (model: string, thinking: string): SignedThinking[] =>
  thoughts.get(keyOf(model, thinking)) ?? [{ text: thinking, metadata: undefined }];

/** What the provider wants back beside a call; undefined when nothing is known. */
export const callMetadata = (model: string, id: string, args: string): SharedV3ProviderMetadata | undefined =>
  calls.get(keyOf(model, id, args));
