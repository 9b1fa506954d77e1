import type { ProposedType } from "@/lib/taxonomy/types";

/** Types proposed in several batches that are one: `batches` are the numbers of those, in order. */
export interface Candidate extends ProposedType {
  batches: number[];
}

const words = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .split(" ")
    .filter((w) => w !== "");
const plain = (text: string): string => words(text).join(" ");

/** Share of common words, 0 to 1 (Jaccard). Two empty texts have nothing in common. */
export function similarity(a: string, b: string): number {
  const [one, other] = [new Set(words(a)), new Set(words(b))];
  const common = [...one].filter((w) => other.has(w)).length;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

/** Names this alike, or definitions this alike, make two proposals one type. */
const ALIKE = { name: 0.75, definition: 0.75 } as const;

/**
 * Two proposals are one type when their names or definitions are the same but for case and punctuation, or share most of
 * their words. Careful on purpose: what stays apart a person can merge, what was merged wrongly would have to be split.
 */
export const sameType = (a: ProposedType, b: ProposedType): boolean =>
  plain(a.name) === plain(b.name) ||
  (plain(a.definition) !== "" && plain(a.definition) === plain(b.definition)) ||
  similarity(a.name, b.name) >= ALIKE.name ||
  similarity(a.definition, b.definition) >= ALIKE.definition;

const union = <T>(...lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())];

/** Joins a proposal to a candidate. The wording with more examples stays, as it was tried on more, unless `freeze`. */
function join(into: Candidate, p: ProposedType, batch: number, freeze: boolean): Candidate {
  const wording = !freeze && p.exampleIds.length > into.exampleIds.length ? p : into;
  return {
    name: wording.name,
    definition: wording.definition,
    excludes: wording.excludes,
    exampleIds: union(into.exampleIds, p.exampleIds),
    ...(into.detectors || p.detectors ? { detectors: union(into.detectors ?? [], p.detectors ?? []) } : {}),
    batches: union(into.batches, [batch]).sort((a, b) => a - b),
  };
}

/** Takes the proposals of one batch into the candidates; each goes to the first candidate it is the same as. */
export function absorb(
  candidates: readonly Candidate[],
  proposals: readonly ProposedType[],
  batch: number,
  { freeze = false } = {},
): { candidates: Candidate[]; at: number[] } {
  const out = [...candidates];
  const at = proposals.map((p) => {
    const found = out.findIndex((c) => sameType(c, p));
    const candidate = out[found];
    if (candidate) {
      const joined = join(candidate, p, batch, freeze);
      // Names tell types apart: a wording whose name another type has keeps the old name.
      const clash = out.some((c, i) => i !== found && plain(c.name) === plain(joined.name));
      out[found] = clash ? { ...joined, name: candidate.name } : joined;
      return found;
    }
    return out.push({ ...p, batches: [batch] }) - 1;
  });
  return { candidates: out, at };
}
