import { suiteTexts } from "@/lib/environment/suite/texts";
import { NAMES } from "@/lib/environment/suite/words";
import { piecesOf } from "@/lib/model/policy/pieces";
import { joinPairs, Vocabulary } from "@/lib/model/policy/vocabulary";

/** Pairs that become words of their own: what the families' texts repeat most. */
const MERGES = 160;
/** What a task draws stays a token of its own, so that it can be copied. */
const DRAWN = new RegExp(`[0-9]|${NAMES.join("|")}`);

/** A text in pieces and how often it occurs. */
interface Counted {
  pieces: string[];
  n: number;
}

function mostFrequent(texts: readonly Counted[]): [string, string] | null {
  const counts = new Map<string, number>();
  for (const { pieces, n } of texts)
    for (let i = 0; i + 1 < pieces.length; i++) {
      const [a = "", b = ""] = [pieces[i], pieces[i + 1]];
      if (DRAWN.test(a) || DRAWN.test(b) || a.includes("\n") || b.includes("\n")) continue;
      const key = `${a}\0${b}`;
      counts.set(key, (counts.get(key) ?? 0) + n);
    }
  let best: string | null = null;
  let most = 1;
  for (const [key, n] of counts) {
    if (n < most || (n === most && (best === null || key > best))) continue;
    best = key;
    most = n;
  }
  const [a, b] = best?.split("\0") ?? [];
  return a !== undefined && b !== undefined ? [a, b] : null;
}

function counted(texts: readonly string[]): Counted[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, n]) => ({ pieces: piecesOf(text), n }));
}

/**
 * The vocabulary generated from the families of the suite: every piece of their texts that is more than one byte, and
 * the pairs that come together most often. The same everywhere.
 */
export function suiteVocabulary(): Vocabulary {
  let texts = counted(suiteTexts());
  const words = new Set(texts.flatMap(({ pieces }) => pieces).filter((piece) => Buffer.byteLength(piece) > 1));
  const merges: [string, string][] = [];
  const known = new Set(words);
  while (merges.length < MERGES) {
    const pair = mostFrequent(texts);
    if (!pair) break;
    const joined = pair.join("");
    if (known.has(joined)) break;
    known.add(joined);
    merges.push(pair);
    const only = new Map([[pair.join("\0"), 0]]);
    texts = texts.map((text) =>
      text.pieces.includes(pair[0]) ? { ...text, pieces: joinPairs(text.pieces, only) } : text,
    );
  }
  return new Vocabulary([...words].sort(), merges);
}
