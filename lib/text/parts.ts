import type { StepBody } from "@/db/codec";
import type { Json, Observation } from "@/lib/trajectory/types";
import { actionRange } from "./action";
import { countMatches } from "./find";
import { type Line, plainLines } from "./glyphs";
import { renderTerminal } from "./terminal";

/** Arguments of a call that say more than its command, as readable JSON text; null when there are none. */
export function argumentText(args: Json, command: string | null): string | null {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args) as Json;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return args === "" || args === command ? null : args;
    }
  }
  if (value === null || value === command) return null;
  if (typeof value === "object" && !Array.isArray(value)) {
    const rest = Object.entries(value).filter(([, v]) => command === null || v !== command);
    return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest), null, 2);
  }
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The message without the code fence that repeats the command. */
export function shownMessage(message: string, command: string | null): { text: string; at: number; chars: number } {
  const range = actionRange(message, command);
  if (!range) return { text: message, at: 0, chars: 0 };
  const before = message.slice(0, range[0]).trimEnd();
  const after = message.slice(range[1]);
  const text = after.trim() === "" ? before : before + after;
  return { text, at: before.length, chars: range[1] - before.length };
}

/** Terminal output of an observation, apart from what the harness put around it. */
export function splitObservation(o: Observation): { before: string; output: string | null; after: string; at: number } {
  const { content, output: range } = o;
  if (content === null || !range) return { before: "", output: content, after: "", at: 0 };
  return {
    before: content.slice(0, range[0]),
    output: content.slice(...range),
    after: content.slice(range[1]),
    at: range[0],
  };
}

/** The texts of an entry as the reader shows them, by part name and in reading order. */
export function* shownParts(body: StepBody): Generator<[part: string, lines: Line[]]> {
  const command = body.call?.command ?? null;
  if (body.thinking) yield ["thinking", plainLines(body.thinking)];
  if (body.message) yield ["message", plainLines(shownMessage(body.message, command).text)];
  if (command) yield ["command", plainLines(command)];
  if (body.call) {
    const args = argumentText(body.call.arguments, command);
    if (args) yield ["args", plainLines(args)];
  }
  for (const [i, o] of body.observations.entries()) {
    const { output } = splitObservation(o);
    if (output) yield [`output${i}`, renderTerminal(output)];
    if (o.full) yield [`full${i}`, renderTerminal(o.full)];
    if (o.error) yield [`error${i}`, plainLines(o.error)];
  }
}

/** Number of matches in each part of an entry that has any. */
export function findInBody(body: StepBody, re: RegExp): [part: string, count: number][] {
  const found: [string, number][] = [];
  for (const [part, lines] of shownParts(body)) {
    const count = countMatches(lines, re);
    if (count > 0) found.push([part, count]);
  }
  return found;
}
