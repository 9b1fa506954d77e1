import "server-only";
import type { Db } from "@/db/client";
import { one } from "./prepared";

/** Words looked up for a beginning; where more begin so, the index does it by itself, which is slower. */
const MOST = 1000;
const TABLES = { steps: "step_fts", reasons: "reason_fts" } as const;
const ready = new WeakSet<Db>();

/** The words of the index, per connection: it holds nothing of its own. */
function openVocabulary(db: Db): void {
  if (ready.has(db)) return;
  for (const table of Object.values(TABLES))
    db.$client.exec(
      `create virtual table if not exists temp.${table}_words using fts5vocab('main', '${table}', 'instance')`,
    );
  ready.add(db);
}

/** A word as the index writes it: small letters, no marks. */
const folded = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Words of the index that begin so, by hopping from one to the next; null when there are more than MOST. */
export function wordsThatBegin(db: Db, where: keyof typeof TABLES, beginning: string): string[] | null {
  openVocabulary(db);
  const start = folded(beginning);
  const sql = `select term from temp.${TABLES[where]}_words where term >= ? limit 1`;
  const words: string[] = [];
  for (let from = start; ; ) {
    const term = one<{ term: string }>(db, sql, from)?.term;
    if (term === undefined || !term.startsWith(start)) return words;
    if (words.length === MOST) return null;
    words.push(term);
    from = `${term}\u0001`;
  }
}

const LAST = /^(.*?)((?:\w+ : )?)"([^"]*?)([^" ]+)"\*$/s;

/**
 * The same query with the beginning at its end written out as the words that begin so. FTS5 gathers all rows of a
 * beginning before it gives the first; of words written out it gives the newest at once.
 */
export function withBeginnings(db: Db, where: keyof typeof TABLES, query: string): string {
  const [, before = "", field = "", phrase = "", beginning = ""] = LAST.exec(query) ?? [];
  if (beginning === "") return query;
  const words = wordsThatBegin(db, where, beginning);
  if (words === null || words.length === 0) return query;
  return `${before}${field}(${words.map((word) => `"${phrase}${word}"`).join(" OR ")})`;
}
