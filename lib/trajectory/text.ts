import type { Json } from "./types";
import { isArray, isObject, stringAt } from "./value";

export interface Content {
  /** Text parts joined by line feeds, exact when there is one; null when the file says null or nothing. */
  text: string | null;
  /** Reasoning parts, joined by line feeds; null when there are none. */
  thinking: string | null;
}

/** Message content: a text, null, or a list of parts (text, reasoning, media). Media becomes a short mark in brackets; tool calls and their results are not text. */
export function contentOf(value: Json | undefined): Content {
  if (typeof value === "string") return { text: value, thinking: null };
  if (value === null || value === undefined) return { text: null, thinking: null };
  if (!isArray(value)) {
    const inner = isObject(value) ? stringAt(value, "text") : null;
    return { text: inner ?? JSON.stringify(value), thinking: null };
  }
  let text: string | null = null;
  let thinking: string | null = null;
  for (const part of value) {
    const kind = stringAt(part, "type");
    if (kind === "reasoning" || kind === "thinking") {
      const piece = stringAt(part, "reasoning") ?? stringAt(part, "thinking") ?? stringAt(part, "text") ?? "";
      const shown = piece === "" ? (stringAt(part, "summary") ?? "") : piece;
      thinking = thinking === null ? shown : `${thinking}\n${shown}`;
      continue;
    }
    if (kind === "tool_use" || kind === "tool_result" || kind === "function_call") continue;
    const piece = partText(part);
    text = text === null ? piece : `${text}\n${piece}`;
  }
  return { text: text ?? (thinking === null ? "" : null), thinking };
}

function partText(part: Json): string {
  if (typeof part === "string") return part;
  const text = stringAt(part, "text") ?? stringAt(part, "refusal");
  if (text !== null) return text;
  const kind = stringAt(part, "type") ?? "part";
  const content = stringAt(part, "content");
  if (content !== null) return content;
  const url = isObject(part) && isObject(part.image_url) ? stringAt(part.image_url, "url") : null;
  const from = url ?? stringAt(part, "image") ?? (isObject(part) ? stringAt(part.source, "path") : null);
  return from && !from.startsWith("data:") && from.length < 300 ? `[${kind}: ${from}]` : `[${kind}]`;
}

/**
 * Splits `<think>…</think>` off a message. The message keeps the rest exactly, so that
 * `"<think>" + thinking + "</think>" + message` is the content again. Chat templates that open the block in the
 * prompt leave only the closing tag.
 */
export function splitThinking(content: string): { thinking: string; message: string } | null {
  const close = content.indexOf("</think>");
  const open = content.startsWith("<think>") ? 7 : 0;
  if (close === -1) return open > 0 ? { thinking: content.slice(open), message: "" } : null;
  if (open === 0 && content.lastIndexOf("<think>", close) !== -1) {
    const before = content.indexOf("<think>");
    if (content.slice(0, before).trim() !== "") return null;
    return { thinking: content.slice(before + 7, close), message: content.slice(close + 8) };
  }
  return { thinking: content.slice(open, close), message: content.slice(close + 8) };
}
