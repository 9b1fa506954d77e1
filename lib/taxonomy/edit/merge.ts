import { slugFor } from "@/lib/taxonomy/slug";
import { checkName, type DraftType, EditRefused, type Operation, usedType } from "./operations";

const union = <T>(lists: readonly (readonly T[])[]): T[] => [...new Set(lists.flat())];

/**
 * Several types become one, which has the labels of all (a step with two of them has it once) and the detectors of all. It
 * stands where the first of them stood, and keeps the address of the one whose name it has.
 */
export function merge(types: readonly DraftType[], op: Extract<Operation, { kind: "merge" }>): DraftType[] {
  const slugs = [...new Set(op.types)];
  if (slugs.length < 2) throw new EditRefused("merging takes two different types");
  const merged = slugs.map((slug) => usedType(types, slug));
  checkName(types, op.name, slugs);
  const rest = types.filter((t) => !slugs.includes(t.slug));
  const namesake = merged.find((t) => t.name === op.name);
  const first = merged[0] as DraftType;
  const one: DraftType = {
    slug: namesake?.slug ?? slugFor(op.name, new Set(rest.map((t) => t.slug))),
    name: op.name,
    definition: op.definition ?? first.definition,
    excludes: op.excludes ?? union(merged.map((t) => t.excludes)),
    example: first.example,
    looksFor: merged.every((t) => t.looksFor !== null) ? merged.map((t) => t.looksFor).join(" Or: ") : null,
    rank: Math.min(...merged.map((t) => t.rank)),
    status: merged.some((t) => t.status === "kept") ? "kept" : "tail",
    detectors: union(merged.map((t) => t.detectors)),
    examples: union(merged.map((t) => t.examples)),
    lineage: union(merged.map((t) => t.lineage)),
    labelsOf: union(merged.map((t) => t.labelsOf)),
    stale: merged.some((t) => t.stale),
    restored: merged.some((t) => t.restored),
  };
  return [...rest, one].toSorted((a, b) => a.rank - b.rank);
}
