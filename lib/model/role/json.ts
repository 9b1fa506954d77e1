import { jsonrepair } from "jsonrepair";
import type { z } from "zod";
import type { Parsed } from "./types";

/**
 * A reply without the thinking that some servers leave in it: a leading `<think>…</think>`, also where the template wrote
 * the opening tag. null: the reply ends inside its thinking, so there is no answer.
 */
export function withoutThinking(reply: string): string | null {
  let rest = reply.trim();
  for (;;) {
    const open = /^<(think|thinking)>/i.exec(rest);
    if (!open) break;
    const close = new RegExp(`</${open[1]}>`, "i").exec(rest);
    if (!close) return null;
    rest = rest.slice(close.index + close[0].length).trim();
  }
  const orphan = /<\/(?:think|thinking)>/i.exec(rest);
  // Inside an answer the tag is a quotation.
  if (orphan && !/[{`]/.test(rest.charAt(0))) rest = rest.slice(orphan.index + orphan[0].length).trim();
  return rest;
}

interface Candidate {
  text: string;
  end: number;
  fenced: boolean;
}

/** Values in braces or brackets that are complete and lie in no other one, and where the first unclosed one begins. */
function completeValues(text: string): { spans: { start: number; end: number }[]; open: number[] } {
  const stack: number[] = [];
  const spans: { start: number; end: number }[] = [];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"' && stack.length > 0) quoted = true;
    else if (c === "{" || c === "[") stack.push(i);
    else if (c === "}" || c === "]") {
      const start = stack.pop();
      if (start === undefined) continue;
      if (text[start] !== (c === "}" ? "{" : "[")) continue;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: i + 1 });
    }
  }
  return { spans, open: stack };
}

const FENCE = /```[a-z0-9_-]*[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```/gi;

/** More values than this are no answer with prose around it. */
const MOST_VALUES = 1000;

/** Texts that may be the answer, the last first. */
function candidates(text: string): { all: Candidate[]; open: number[] } {
  const { spans, open } = completeValues(text);
  const all: Candidate[] = spans.map(({ start, end }) => ({ text: text.slice(start, end), end, fenced: false }));
  if (all.length > MOST_VALUES) return { all, open };
  for (const match of text.matchAll(FENCE)) {
    const inner = (match[1] ?? "").trim();
    const inside = all.find((c) => c.text === inner && c.end <= match.index + match[0].length && c.end > match.index);
    if (inside) inside.fenced = true;
    else if (/^[{[]/.test(inner) && /[}\]]$/.test(inner))
      all.push({ text: inner, end: match.index + match[0].length, fenced: true });
  }
  return { all: all.sort((a, b) => b.end - a.end), open };
}

const keysOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce<number>((n, v) => n + keysOf(v), 0)
    : value !== null && typeof value === "object"
      ? Object.values(value).reduce<number>((n, v) => n + 1 + keysOf(v), 0)
      : 0;

/** Keys as written: strings before a colon. More of them than the value has means that one came twice. */
const keysWritten = (json: string): number =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter((m) => m[1]).length;

/** What is not JSON about a text, as far as it can be told. */
function faultsOf(text: string): string {
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  const faults = [
    /,\s*[}\]]/.test(bare) && "trailing comma",
    /'/.test(bare) && "single quotes",
    /\b(?:True|False|None)\b/.test(bare) && "Python literals",
    /\/\/|\/\*/.test(bare) && "comments",
  ].filter((fault) => fault !== false);
  return faults.length > 0 ? `JSON mended: ${faults.join(", ")}` : "JSON mended";
}

const LONE = /\p{Surrogate}/gu;

/**
 * JSON.parse without halves of characters in texts: the index cannot keep them, and a name that comes back changed is
 * another name.
 */
function parse(json: string): unknown {
  const halves = /\\u[dD][89a-fA-F]/.test(json) || json.search(LONE) >= 0;
  return halves
    ? JSON.parse(json, (_, value: unknown) => (typeof value === "string" ? value.replace(LONE, "\ufffd") : value))
    : JSON.parse(json);
}

/** A complete text as a value, mended when it has to be; undefined: it is no JSON. */
function mended(text: string): { value: unknown; json: string; repairs: string[] } | undefined {
  try {
    return { value: parse(text), json: text, repairs: [] };
  } catch {
    try {
      const json = jsonrepair(text);
      return { value: parse(json), json, repairs: [faultsOf(text)] };
    } catch {
      return undefined;
    }
  }
}

const faultOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message))
    .join("; ");

/** One candidate under the schema; also as the only element of a list. */
function underSchema<T>(candidate: Candidate, schema: z.ZodType<T>): Parsed<T> {
  try {
    return fitting(candidate, schema);
  } catch (error) {
    // A value in thousands of brackets is deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, reason: "the reply's JSON is nested too deep" };
  }
}

function fitting<T>(candidate: Candidate, schema: z.ZodType<T>): Parsed<T> {
  const found = mended(candidate.text);
  if (!found) return { ok: false, reason: "the reply's JSON has a syntax that cannot be mended" };
  const { value, json, repairs } = found;
  if (keysWritten(json) > keysOf(value)) return { ok: false, reason: "a key comes twice in the reply's JSON" };
  const read = schema.safeParse(value);
  if (read.success) return { ok: true, output: read.data, repairs };
  if (Array.isArray(value) && value.length === 1) {
    const inner = schema.safeParse(value[0]);
    if (inner.success) return { ok: true, output: inner.data, repairs: [...repairs, "taken out of a list of one"] };
  }
  return { ok: false, reason: `the reply's JSON is not as asked: ${faultOf(read.error)}` };
}

/** Whether a text that does not fit speaks of what was asked: it has a key of the answer. */
const speaksOf = (text: string, answer: unknown): boolean =>
  answer !== null &&
  typeof answer === "object" &&
  !Array.isArray(answer) &&
  Object.keys(answer).some((key) => new RegExp(`["']?${key}["']?\\s*:`).test(text));

export interface JsonRules<T> {
  /** Whether two values that both fit say the same; without it they are the same in everything. */
  same?: (one: T, other: T) => boolean;
}

/**
 * The JSON in a reply: the one answer that fits `schema`, in a code fence or not, with text around it or not, its syntax
 * mended by jsonrepair when only that is wrong. Several that say the same are one, and the last is taken. Several that
 * differ are none: which of them is a draft, a quotation or a second thought would be a guess; so would be one before a
 * later try at it that is cut or does not fit. `repairs` says in words what was done.
 */
export function readJson<T>(reply: string, schema: z.ZodType<T>, { same = isEqual }: JsonRules<T> = {}): Parsed<T> {
  const text = withoutThinking(reply);
  if (text === null) return { ok: false, reason: "the reply ends inside its thinking" };
  if (text === "") return { ok: false, reason: "the reply is empty" };
  const { all, open } = candidates(text);
  if (all.length > MOST_VALUES) return { ok: false, reason: `the reply holds ${all.length} JSON values` };
  const last = all[0]?.end ?? 0;
  if (open.some((at) => at >= last && /^[{[]\s*["'{[]/.test(text.slice(at, at + 200))))
    return { ok: false, reason: "the reply ends inside its JSON" };
  let answer: { candidate: Candidate; output: T; repairs: string[] } | null = null;
  const misfits: { candidate: Candidate; reason: string }[] = [];
  for (const candidate of all) {
    const read = underSchema(candidate, schema);
    if (!read.ok) {
      if (answer === null) misfits.push({ candidate, reason: read.reason });
    } else if (answer === null) answer = { candidate, output: read.output, repairs: read.repairs };
    else if (!same(answer.output, read.output))
      return { ok: false, reason: "the reply holds several answers that differ" };
  }
  if (answer === null) return { ok: false, reason: misfits[0]?.reason ?? "the reply holds no JSON" };
  const { candidate, output, repairs } = answer;
  const later = misfits.find((misfit) => speaksOf(misfit.candidate.text, output));
  if (later) return { ok: false, reason: later.reason };
  const around = [
    candidate.fenced && "code fence removed",
    !candidate.fenced && candidate.text.length < text.length && "text around the JSON left out",
    candidate.fenced && !onlyFence(text) && "text around the code fence left out",
    all.length > 1 && `the last of ${all.length} JSON values that fits was taken`,
  ].filter((said) => said !== false);
  return { ok: true, output, repairs: [...around, ...repairs] };
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const onlyFence = (text: string): boolean => /^```[^\n]*\n[\s\S]*```$/.test(text) && text.split("```").length === 3;
