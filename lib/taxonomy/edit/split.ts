import { slugFor } from "@/lib/taxonomy/slug";
import { checkName, type DraftType, EditRefused, type Operation, plainName, usedType } from "./operations";

/**
 * One type becomes several. Every part carries all labels until a relabel says which part it is: nothing is lost, and
 * what is not decided is listed as stale. The rules looked for the whole, so they label no part.
 */
export function split(types: readonly DraftType[], op: Extract<Operation, { kind: "split" }>): DraftType[] {
  const whole = usedType(types, op.type);
  const names = op.into.map((part) => plainName(part.name));
  if (new Set(names).size < names.length) throw new EditRefused("the parts of a split need different names");
  for (const part of op.into) checkName(types, part.name, [op.type]);
  const taken = new Set(types.filter((t) => t.slug !== op.type).map((t) => t.slug));
  const parts = op.into.map((part): DraftType => {
    const slug = part.name === whole.name && !taken.has(whole.slug) ? whole.slug : slugFor(part.name, taken);
    taken.add(slug);
    return { ...whole, ...part, slug, example: null, looksFor: null, detectors: [], stale: true };
  });
  return types.flatMap((t) => (t.slug === op.type ? parts : [t]));
}
