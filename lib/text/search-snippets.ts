import "server-only";
import type { SearchHit } from "@/db/queries/search";
import type { SearchTerm } from "@/lib/text/fts";
import { lineText } from "@/lib/text/glyphs";
import { argumentText, splitObservation } from "@/lib/text/parts";
import { type Snippet, snippet, termPattern } from "@/lib/text/snippet";
import { renderTerminal } from "@/lib/text/terminal";

export interface FoundSnippet {
  field: string;
  snippet: Snippet;
}

/** Characters of one text that a snippet is looked for in. */
const MOST = 200_000;

/** An output as it is read, without control sequences. */
const readable = (output: string): string => renderTerminal(output.slice(0, MOST)).map(lineText).join("\n");

function textsOf(hit: SearchHit): [field: string, kind: string, text: string][] {
  if (hit.reason !== null) return [["reason", "reason", hit.reason]];
  const { thinking, message, call, observations } = hit.entry.body;
  const ran = call ? (call.command ?? argumentText(call.arguments, null)) : null;
  return [
    ["command", "command", ran ?? ""],
    ["thinking", "thinking", thinking ?? ""],
    ["message", "thinking", message ?? ""],
    ["output", "output", observations.map((o) => readable(o.full ?? splitObservation(o).output ?? "")).join("\n")],
  ];
}

/** Where the terms occur in a hit, one piece a text. */
export function snippetsOf(hit: SearchHit, terms: SearchTerm[]): FoundSnippet[] {
  return textsOf(hit).flatMap(([field, kind, text]) => {
    const pattern = termPattern(terms.filter((t) => t.field === null || t.field === kind));
    const found = pattern && text !== "" ? snippet(text.slice(0, MOST), pattern) : null;
    return found ? [{ field, snippet: found }] : [];
  });
}

/** What to find inside the trajectory a hit leads to: its longest word. */
export function findText(terms: SearchTerm[]): string {
  const words = terms.flatMap((t) => t.words);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}
