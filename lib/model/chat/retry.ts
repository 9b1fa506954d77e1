import "server-only";
import type { Exchange } from "./wire";

/** Why a try failed, and whether another one may help. */
export interface Fault {
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** What happened, with the server's own words where it has any. No key is in it. */
  message: string;
  again: boolean;
  /** How long the server asks to be left alone, in milliseconds; null: it does not say. */
  askedWaitMs: number | null;
}

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A server that wants to be left alone for longer is not waited for: the call fails and says so. */
export const LONGEST_ASKED_MS = 10 * 60_000;
const SHOWN = 600;

/** What the server asks for by `retry-after-ms` or `retry-after` (seconds or an HTTP date). */
export function askedWait(exchange: Pick<Exchange, "retryAfter" | "retryAfterMs">, now: number): number | null {
  const ms = exchange.retryAfterMs === null ? Number.NaN : Number(exchange.retryAfterMs);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = exchange.retryAfter?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * How long to wait before the next try; `failed` tries were made. What the server asked for is never cut short;
 * otherwise exponential backoff with full jitter.
 */
export function waitBefore(failed: number, asked: number | null, random: () => number): number {
  if (asked !== null) return Math.round(asked + random() * Math.min(1000, asked / 10));
  return Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failed - 1)));
}

const again = (status: number) => status === 408 || status === 429 || status >= 500;

/** Judges a try that did not give a reply. */
export function faultOf(
  error: unknown,
  exchange: Exchange,
  context: { timedOut: boolean; timeoutSeconds: number; now: number; redact: (text: string) => string },
): Fault {
  const { status } = exchange;
  const fault = (message: string, tryAgain: boolean): Fault => ({
    status,
    message: context.redact(message),
    again: tryAgain,
    askedWaitMs: askedWait(exchange, context.now),
  });
  if (context.timedOut) return fault(`no whole answer within ${context.timeoutSeconds} s`, true);
  if (exchange.broken !== null) {
    const where = status === null ? "no answer" : `the answer (status ${status}) was cut off`;
    return fault(`${where}: ${reasonOf(exchange.broken)}`, true);
  }
  // The SDK refused the request before anything was sent.
  if (status === null) return fault(reasonOf(error), false);
  if (status >= 300 && status < 400)
    return fault(`status ${status}: the server sends elsewhere; the base address may be wrong`, false);
  if (status >= 200 && status < 300)
    return fault(`the answer is no reply of this protocol: ${unreadable(error, exchange.body ?? "")}`, true);
  return fault(`status ${status}: ${wordsOf(exchange.body ?? "")}`, again(status));
}

/** Innermost causes say most: "fetch failed" alone helps nobody. */
function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = "code" in at && typeof at.code === "string" && !at.message.includes(at.code) ? ` (${at.code})` : "";
    const text = `${at.message}${code}`.trim();
    if (text !== "" && text !== "fetch failed" && !parts.includes(text)) parts.push(text);
  }
  return parts.length > 0 ? parts.join(": ") : String(error);
}

function unreadable(error: unknown, body: string): string {
  if (body.trim() === "") return "it is empty";
  try {
    JSON.parse(body);
  } catch {
    return `no JSON, begins with ${shown(body, 80)}`;
  }
  const said = wordsOf(body);
  return `${error instanceof Error ? error.message.split("\n")[0] : String(error)}; it says ${said}`;
}

/** The server's own words: the message of its error object, or the beginning of what it sent. */
function wordsOf(body: string): string {
  try {
    const json = JSON.parse(body) as Record<string, unknown>;
    const error = (Array.isArray(json) ? json[0]?.error : json.error) ?? json;
    for (const said of [error, error?.message, error?.detail, json.message, json.detail])
      if (typeof said === "string" && said.trim() !== "") return shown(said.trim());
  } catch {
    // Not JSON: shown as it is.
  }
  return body.trim() === "" ? "no body" : shown(body.trim());
}

const shown = (text: string, limit = SHOWN) => (text.length > limit ? `${text.slice(0, limit)}… (cut)` : text);
