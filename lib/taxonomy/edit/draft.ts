import type { TypeRow } from "@/db/queries/taxonomies";
import { chooseExamples } from "./examples";
import { merge } from "./merge";
import type { DraftType, Operation } from "./operations";
import { redefine } from "./redefine";
import { rename } from "./rename";
import { restore } from "./restore";
import { retire } from "./retire";
import { split } from "./split";

/** A version's types as a draft that nothing was changed in. */
export const draftOf = (types: readonly TypeRow[]): DraftType[] =>
  types
    .map(
      (t): DraftType => ({
        slug: t.slug,
        name: t.name,
        definition: t.definition,
        excludes: t.excludes,
        example: t.example,
        looksFor: t.looksFor,
        rank: t.rank,
        status: t.status as DraftType["status"],
        detectors: t.detectors,
        examples: t.examples,
        lineage: [t.id],
        labelsOf: [t.id],
        stale: false,
        restored: false,
      }),
    )
    .toSorted((a, b) => a.rank - b.rank);

/** A draft after one edit. Throws EditRefused. */
export function edited(types: readonly DraftType[], op: Operation): DraftType[] {
  switch (op.kind) {
    case "rename":
      return rename(types, op);
    case "redefine":
      return redefine(types, op);
    case "merge":
      return merge(types, op);
    case "split":
      return split(types, op);
    case "retire":
      return retire(types, op);
    case "restore":
      return restore(types, op);
    case "examples":
      return chooseExamples(types, op);
  }
}

/** One edit in words. */
export function inWords(op: Operation): string {
  switch (op.kind) {
    case "rename":
      return `rename ${op.type} to “${op.name}”`;
    case "redefine":
      return `redefine ${op.type}`;
    case "merge":
      return `merge ${op.types.join(" and ")} into “${op.name}”`;
    case "split":
      return `split ${op.type} into ${op.into.map((part) => `“${part.name}”`).join(" and ")}`;
    case "retire":
      return `retire ${op.type}`;
    case "restore":
      return `restore ${op.type}`;
    case "examples":
      return `choose ${op.steps.length} examples of ${op.type}`;
  }
}
