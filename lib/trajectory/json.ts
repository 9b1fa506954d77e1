import { MAX_NESTING, scanJson } from "./json-scan";
import type { Json } from "./types";

/** Largest single JSON document, in bytes: held as text and as value, it must fit in memory beside the rest. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;

export type Parsed =
  | { ok: true; value: Json; warnings: string[] }
  | { ok: false; reason: string; position: string; offset: number; truncated: boolean };

/** Line and column (1-based, column in UTF-16 units) of an offset. */
export function positionOf(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
    start = at + 1;
  }
  return `line ${line}:${offset - start + 1}`;
}

/** Whether arrays and objects nest deeper than MAX_NESTING below `value`. */
function tooDeep(value: Json, level: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (level > MAX_NESTING) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (item !== null && typeof item === "object" && tooDeep(item, level + 1)) return true;
    return false;
  }
  for (const key in value) {
    const item = value[key] as Json;
    if (item !== null && typeof item === "object" && tooDeep(item, level + 1)) return true;
  }
  return false;
}

/**
 * Parses JSON text. Bare NaN and Infinity (legal in Python's JSON) are kept as the texts "NaN", "Infinity",
 * "-Infinity" with a warning. Anything else that is not JSON gives the line and column where it stops being JSON.
 */
export function parseJson(input: string): Parsed {
  const text = input.charCodeAt(0) === 0xfeff ? input.slice(1) : input;
  try {
    const value = JSON.parse(text) as Json;
    if (tooDeep(value, 1)) {
      return {
        ok: false,
        reason: `nested deeper than ${MAX_NESTING} levels`,
        position: "line 1:1",
        offset: 0,
        truncated: false,
      };
    }
    return { ok: true, value, warnings: [] };
  } catch (error) {
    const { special, error: wrong } = scanJson(text);
    if (wrong) {
      const truncated = wrong.offset >= text.length || wrong.reason.startsWith("the text ends");
      return {
        ok: false,
        reason: `not valid JSON: ${wrong.reason}`,
        position: positionOf(text, wrong.offset),
        offset: wrong.offset,
        truncated,
      };
    }
    if (special.length === 0) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ok: false, reason: `not valid JSON: ${reason}`, position: "line 1:1", offset: 0, truncated: false };
    }
    const pieces: string[] = [];
    let from = 0;
    for (const [start, end] of special) {
      pieces.push(text.slice(from, start), '"', text.slice(start, end), '"');
      from = end;
    }
    pieces.push(text.slice(from));
    const first = special[0] as [number, number];
    return {
      ok: true,
      value: JSON.parse(pieces.join("")) as Json,
      warnings: [
        `${special.length} bare NaN or Infinity (no JSON; first at ${positionOf(text, first[0])}) kept as text`,
      ],
    };
  }
}
