import type { Instant, Json, JsonObject, Usage } from "./types";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is Json[] {
  return Array.isArray(value);
}

/** The object at `key`, or null when it is not an object. */
export function objectAt(of: Json | undefined, key: string): JsonObject | null {
  const value = isObject(of) ? of[key] : undefined;
  return isObject(value) ? value : null;
}

/** The array at `key`, or null when it is not an array. */
export function arrayAt(of: Json | undefined, key: string): Json[] | null {
  const value = isObject(of) ? of[key] : undefined;
  return isArray(value) ? value : null;
}

/** The string at `key`, or null when it is not a string. */
export function stringAt(of: Json | undefined, key: string): string | null {
  const value = isObject(of) ? of[key] : undefined;
  return typeof value === "string" ? value : null;
}

/** Like stringAt, but "" is null too: for names and ids, where an empty text says nothing. */
export function nameAt(of: Json | undefined, key: string): string | null {
  const value = isObject(of) ? of[key] : undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** The finite number at `key`, or null. */
export function numberAt(of: Json | undefined, key: string): number | null {
  const value = isObject(of) ? of[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A number, or a text that is one ("0.0"); null for anything else, NaN included. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "number" && typeof value !== "string") return null;
  if (typeof value === "string" && value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A count as a column of whole numbers takes it: rounded; null where it is not known, or is no number that can be kept
 * exactly. What a file says stays in the step's own text.
 */
export const wholeOf = (n: number | null): number | null =>
  n === null || !Number.isSafeInteger(Math.round(n)) ? null : Math.round(n);

/** The last moment that a date can be, and the first: ms from 1970. */
const MOST_MS = 8.64e15;
const moment = (ms: number): number | null => (Math.abs(ms) <= MOST_MS ? Math.round(ms) : null);

/** Reads an ISO 8601 text or a Unix time (seconds; milliseconds when above 10^11). What is no date keeps `ms` null. */
export function instantOf(value: Json | undefined): Instant | null {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return null;
    return { raw: value, ms: moment(Math.abs(value) > 1e11 ? value : value * 1000), zoned: true };
  }
  if (typeof value !== "string" || value === "") return null;
  const found = ISO.exec(value);
  if (!found) return { raw: value, ms: null, zoned: false };
  const [, day, time, fraction, zone] = found;
  const offset = zone && zone !== "Z" && !zone.includes(":") ? `${zone.slice(0, 3)}:${zone.slice(3)}` : (zone ?? "Z");
  const clock = time?.length === 5 ? `${time}:00` : time;
  const ms = Date.parse(`${day}T${clock}.${(fraction ?? "0").slice(0, 3).padEnd(3, "0")}${offset}`);
  return { raw: value, ms: Number.isNaN(ms) ? null : ms, zoned: zone !== undefined };
}

/** Milliseconds between two times; null when one is unknown, they differ in having a zone, or time runs backwards. */
export function between(start: Instant | null, end: Instant | null): number | null {
  if (start?.ms == null || end?.ms == null || start.zoned !== end.zoned) return null;
  return end.ms >= start.ms ? end.ms - start.ms : null;
}

/** Usage as the OpenAI, Anthropic, litellm and Inspect APIs state it. Null when nothing of it is there. A cost of exactly 0 means unknown. */
export function usageOf(raw: Json | undefined, cost?: Json): Usage | null {
  if (!isObject(raw) && (cost === undefined || cost === null)) return null;
  const given = numberOf(cost) ?? numberAt(raw, "cost") ?? numberAt(raw, "cost_usd") ?? numberAt(raw, "total_cost");
  const cached =
    numberAt(raw, "cached_tokens") ??
    numberAt(objectAt(raw, "prompt_tokens_details"), "cached_tokens") ??
    numberAt(objectAt(raw, "input_tokens_details"), "cached_tokens") ??
    numberAt(raw, "input_tokens_cache_read") ??
    numberAt(raw, "cache_read_input_tokens");
  const usage: Usage = {
    promptTokens: numberAt(raw, "prompt_tokens") ?? inputTokens(raw),
    completionTokens: numberAt(raw, "completion_tokens") ?? numberAt(raw, "output_tokens"),
    cachedTokens: cached,
    reasoningTokens:
      numberAt(raw, "reasoning_tokens") ??
      numberAt(objectAt(raw, "completion_tokens_details"), "reasoning_tokens") ??
      numberAt(objectAt(raw, "output_tokens_details"), "reasoning_tokens"),
    costUsd: given === 0 ? null : given,
  };
  return Object.values(usage).some((field) => field !== null) ? usage : null;
}

/** Anthropic and Inspect count tokens read from and written to the cache apart from `input_tokens`. */
function inputTokens(raw: Json | undefined): number | null {
  const input = numberAt(raw, "input_tokens");
  if (input === null) return null;
  const cached =
    (numberAt(raw, "input_tokens_cache_read") ?? numberAt(raw, "cache_read_input_tokens") ?? 0) +
    (numberAt(raw, "input_tokens_cache_write") ?? numberAt(raw, "cache_creation_input_tokens") ?? 0);
  const total = numberAt(raw, "total_tokens");
  const output = numberAt(raw, "output_tokens") ?? 0;
  return total !== null && total === input + output ? input : input + cached;
}

/** `of` without the keys named: the metadata that is left once the steps are taken out. Shallow. */
export function without(of: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)));
}
