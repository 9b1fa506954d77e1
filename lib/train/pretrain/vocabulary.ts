import { suiteTexts } from "@/lib/environment/suite/texts";
import { NAMES } from "@/lib/environment/suite/words";
import { piecesOf } from "@/lib/model/policy/pieces";
import { joinPairs, Vocabulary } from "@/lib/model/policy/vocabulary";

/** Pairs that become words of their own: what the families' texts repeat most. */
const MERGES = 160;
/** What a task draws stays a token of its own, so that it can be copied. */
const DRAWN = new RegExp(`[0-9]|${NAMES.join("|")}`);

function mostFrequent(texts: readonly string[][]): [string, string] | null {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (let i = 0; i + 1 < text.length; i++) {
      const [a = "", b = ""] = [text[i], text[i + 1]];
      if (DRAWN.test(a) || DRAWN.test(b) || a.includes("\n") || b.includes("\n")) continue;
      const key = `${a}\0${b}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  let best: string | null = null;
  for (const [key, n] of counts) {
    const most = best === null ? 1 : (counts.get(best) ?? 0);
    if (n > most || (n === most && best !== null && key < best)) best = key;
  }
  const [a, b] = best?.split("\0") ?? [];
  return a !== undefined && b !== undefined ? [a, b] : null;
}

/**
 * The vocabulary generated from the families of the suite: every piece of their texts that is more than one byte, and
 * the pairs that come together most often. The same everywhere.
 */
export function suiteVocabulary(): Vocabulary {
  let texts = suiteTexts().map(piecesOf);
  const words = new Set(texts.flat().filter((piece) => Buffer.byteLength(piece) > 1));
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
    texts = texts.map((text) => joinPairs(text, only));
  }
  return new Vocabulary([...words].sort(), merges);
}
