import { decodeText } from "./decode";
import { documentFormat } from "./formats";
import { isEvent } from "./formats/events";
import type { DocumentContext } from "./formats/module";
import { notTrajectory } from "./formats/other";
import { parseJson } from "./json";
import { lines } from "./lines";
import type { Emit } from "./read-document";
import { readValue } from "./read-document";
import type { Json } from "./types";
import type { ReadResult } from "./unit";

/** Whether a file is JSON Lines: more follows after a first line (or, when that is broken, a second) that is whole JSON. */
export async function startsAsLines(stream: AsyncIterable<Buffer>): Promise<boolean> {
  let first: Buffer | null = null;
  for await (const { bytes } of lines(stream)) {
    // A document on one line is as long as its file: its beginning tells.
    const line = bytes.toString("latin1", 0, 4096).trim() || bytes.toString("latin1").trim();
    if (line === "") continue;
    if (first === null) {
      if (!/^(\u00ef\u00bb\u00bf)?[{[]/.test(line) || line.length < 3) return false;
      first = bytes;
    } else return whole(first) || whole(bytes);
  }
  return false;
}

function whole(bytes: Buffer): boolean {
  const text = decodeText(bytes)
    .text.replace(/^\ufeff/, "")
    .trim();
  return /^[{[]/.test(text) && /[}\]]$/.test(text.slice(-1)) && parseJson(text).ok;
}

/** Reads JSON Lines: a trajectory a line, or one trajectory whose events or messages stand on lines of their own. */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  context: DocumentContext,
  emit: Emit,
): AsyncGenerator<ReadResult> {
  let other: { count: number; first: number; reason: string } | null = null;
  const collected: { values: Json[]; bytes: Buffer[] } = { values: [], bytes: [] };
  let together: boolean | null = null;
  let repeat = null as Repeat | null;
  for await (const { number, bytes, ended } of lines(stream)) {
    const { text, warning } = decodeText(bytes);
    if (text.trim() === "") continue;
    const parsed = parseJson(text);
    if (!parsed.ok) {
      const column = parsed.position.slice(parsed.position.indexOf(":") + 1);
      const hint =
        parsed.truncated && !ended
          ? "The file stops inside this line: it was being written, or the copy was cut. The lines before it came in."
          : null;
      yield emit.refuse(`L${number}`, parsed.reason, hint, `line ${number}:${column}`);
      continue;
    }
    together ??= isEvent(parsed.value);
    if (together) {
      collected.values.push(parsed.value);
      collected.bytes.push(Buffer.from(bytes), Buffer.from("\n"));
      continue;
    }
    if (!documentFormat(parsed.value)) {
      other ??= { count: 0, first: number, reason: notTrajectory(parsed.value) };
      other.count += 1;
      continue;
    }
    const warnings = [...(warning ? [warning] : []), ...parsed.warnings];
    for await (const result of readValue(parsed.value, bytes, context, warnings, emit, `L${number}`)) {
      if (result.kind !== "refused") yield result;
      else if (repeat?.reason !== result.refusal.reason) {
        if (repeat && repeat.more > 0) yield moreLines(repeat, emit);
        repeat = { reason: result.refusal.reason, hint: result.refusal.hint, more: 0, first: 0 };
        yield result;
      } else {
        if (repeat.more === 0) repeat.first = number;
        repeat.more += 1;
      }
    }
  }
  if (repeat && repeat.more > 0) yield moreLines(repeat, emit);
  if (other)
    yield emit.skip(
      `L${other.first}`,
      other.count === 1 ? other.reason : `${other.count} lines are no trajectories: ${other.reason}`,
    );
  if (together) yield* readValue(collected.values, Buffer.concat(collected.bytes), context, [], emit);
}

/** The same refusal on line after line is told once, then counted. */
interface Repeat {
  reason: string;
  hint: string | null;
  more: number;
  first: number;
}

function moreLines({ reason, hint, more, first }: Repeat, emit: Emit): ReadResult {
  return emit.refuse(`L${first}`, `${more} more ${more === 1 ? "line" : "lines"} from here on: ${reason}`, hint, null);
}
