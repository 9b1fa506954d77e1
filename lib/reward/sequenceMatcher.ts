/**
 * Similarity of two texts as Python's difflib computes it (SequenceMatcher.ratio with autojunk on), which the PivotRL
 * reward is defined by (recipe 4): 2·M / T, M being the characters in recursively longest matching blocks. In a second text
 * of 200 characters or more, those that make up over one per cent of it start no match. Not symmetric.
 */

/** A second text of this many characters or more has popular ones left out. */
const AUTOJUNK_FROM = 200;

type Places = Map<string, number[]>;

function placesOf(b: readonly string[]): Places {
  const places: Places = new Map();
  for (const [j, ch] of b.entries()) {
    const known = places.get(ch);
    if (known) known.push(j);
    else places.set(ch, [j]);
  }
  if (b.length < AUTOJUNK_FROM) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [ch, at] of places) if (at.length > most) places.delete(ch);
  return places;
}

interface Region {
  aFrom: number;
  aTo: number;
  bFrom: number;
  bTo: number;
}

/** The longest block in a region that starts with a character of `places`, earliest in a, then in b; extended both ways. */
function longest(a: readonly string[], b: readonly string[], places: Places, region: Region) {
  const { aFrom, aTo, bFrom, bTo } = region;
  let [bestA, bestB, size] = [aFrom, bFrom, 0];
  /** Length of the match that ends at each place of b, for the character of a before this one. */
  let lengths = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] as string) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const k = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, k);
      if (k > size) [bestA, bestB, size] = [i - k + 1, j - k + 1, k];
    }
    lengths = next;
  }
  while (bestA > aFrom && bestB > bFrom && a[bestA - 1] === b[bestB - 1]) {
    bestA--;
    bestB--;
    size++;
  }
  while (bestA + size < aTo && bestB + size < bTo && a[bestA + size] === b[bestB + size]) size++;
  return { bestA, bestB, size };
}

/** Ratio in 0…1; two empty texts are alike. The gold text comes first. */
export function similarity(gold: string, candidate: string): number {
  // Code points, as in Python.
  const [a, b] = [Array.from(gold), Array.from(candidate)];
  const total = a.length + b.length;
  if (total === 0) return 1;
  const places = placesOf(b);
  const regions: Region[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  let matched = 0;
  for (let region = regions.pop(); region; region = regions.pop()) {
    const { bestA, bestB, size } = longest(a, b, places, region);
    if (size === 0) continue;
    matched += size;
    const { aFrom, aTo, bFrom, bTo } = region;
    if (aFrom < bestA && bFrom < bestB) regions.push({ aFrom, aTo: bestA, bFrom, bTo: bestB });
    if (bestA + size < aTo && bestB + size < bTo) regions.push({ aFrom: bestA + size, aTo, bFrom: bestB + size, bTo });
  }
  return (2 * matched) / total;
}
