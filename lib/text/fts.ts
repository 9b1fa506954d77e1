/** Where a word is looked for. `reason` is kept apart from the texts of steps. */
export const SEARCH_FIELDS = ["command", "thinking", "output", "reason"] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

export interface SearchTerm {
  /** Words of a phrase, in order; a single word is a phrase of one. */
  words: string[];
  field: SearchField | null;
  /** Matches words that only begin so. */
  prefix: boolean;
}

// A word as the index splits text: letters, digits and _ (tokenchars), marks included.
const WORD = /[\p{L}\p{N}\p{Co}\p{M}_]+/gu;

/** Splits what a person typed: words, "phrases", and field: before either. The last word matches as a beginning. */
export function parseSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const input = text.slice(0, 500);
  for (const match of input.matchAll(/(?:(command|thinking|output|reason):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const words = (match[2] ?? match[3] ?? "").match(WORD) ?? [];
    if (words.length === 0) continue;
    const field = SEARCH_FIELDS.find((f) => f === match[1]?.toLowerCase()) ?? null;
    const last = match.index + match[0].length === input.trimEnd().length;
    // A single letter stands for itself: it is more often an option than the beginning of a word.
    const begins = last && match[2] === undefined && !/^[a-z0-9]$/i.test(words.at(-1) ?? "");
    terms.push({ words: [...words], field, prefix: begins });
  }
  return terms.slice(0, 20);
}

const quoted = (term: SearchTerm): string => `"${term.words.join(" ")}"${term.prefix ? "*" : ""}`;

/** FTS5 query over steps: all terms must occur. Null when no term is left; reasons are not in this index. */
export function stepQuery(terms: SearchTerm[]): string | null {
  const parts = terms
    .filter((t) => t.field !== "reason")
    .map((t) => (t.field ? `${t.field} : ${quoted(t)}` : quoted(t)));
  return parts.length === 0 ? null : parts.join(" AND ");
}

/** FTS5 query over reasons: all terms that are not bound to another field. */
export function reasonQuery(terms: SearchTerm[]): string | null {
  const parts = terms.filter((t) => t.field === "reason" || t.field === null).map(quoted);
  return parts.length === 0 ? null : parts.join(" AND ");
}
