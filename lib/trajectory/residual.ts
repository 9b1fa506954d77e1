import type { Json, Step } from "./types";

/**
 * The file's own objects of an entry, kept beside its canonical texts without storing a text twice: a string of the
 * source that equals a canonical text is replaced by a reference. `restoreSource` gives back the same JSON value.
 */
type Texts = Pick<Step, "thinking" | "message" | "call" | "observations">;

const REF = "$misstep";
/** Shorter strings are not worth a reference. */
const SHORTEST = 48;

function canonicalTexts(step: Texts): string[] {
  const texts: string[] = [];
  const add = (text: string | null) => {
    if (text !== null && text.length >= SHORTEST) texts.push(text);
  };
  add(step.message);
  add(step.thinking);
  if (step.call) {
    if (typeof step.call.arguments === "string") add(step.call.arguments);
    add(step.call.command);
  }
  for (const observation of step.observations) {
    add(observation.content);
    add(observation.full);
  }
  return texts;
}

function allTexts(step: Texts): Map<number, string> {
  return new Map(canonicalTexts(step).map((text, i) => [i, text]));
}

function replace(value: Json, texts: string[]): Json {
  if (typeof value === "string") {
    if (value.length < SHORTEST) return value;
    const i = texts.indexOf(value);
    return i < 0 ? value : { [REF]: i };
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((v) => replace(v, texts));
  const out: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) define(out, key, replace(value[key] as Json, texts));
  // A source object that looks like a reference is wrapped, so that restoring is unambiguous.
  return REF in out ? { [REF]: out } : out;
}

/** `__proto__` is an ordinary key in JSON. */
function define(out: { [key: string]: Json }, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  else out[key] = value;
}

function restore(value: Json, texts: Map<number, string>): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((v) => restore(v, texts));
  const ref = Object.hasOwn(value, REF) ? value[REF] : undefined;
  if (typeof ref === "number") {
    const text = texts.get(ref);
    if (text === undefined) throw new Error(`stored step refers to text ${ref}, which it does not have`);
    return text;
  }
  const inner = (ref !== undefined ? ref : value) as { [key: string]: Json };
  const out: { [key: string]: Json } = {};
  for (const key of Object.keys(inner)) define(out, key, restore(inner[key] as Json, texts));
  return out;
}

/** `step.source` with the step's own texts replaced by references. */
export function residualSource(step: Texts & { source: Json[] }): Json[] {
  const texts = canonicalTexts(step);
  return step.source.map((value) => replace(value, texts));
}

/** The file's objects of a stored step, as they were in the file. */
export function restoreSource(step: Texts & { source: Json[] }): Json[] {
  const texts = allTexts(step);
  return step.source.map((value) => restore(value, texts));
}
