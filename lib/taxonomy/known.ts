import "server-only";
import type { Db } from "@/db/client";
import { typesOf } from "@/db/queries/taxonomies";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import { loadExamples, shortest } from "./examples";
import type { KnownType } from "./types";

/** Real examples of a type that an annotator is shown (recipe 11.5). */
const EXAMPLES = 2;
/** Of how many examples the shortest are looked for. */
const LOOKED_AT = 40;

/**
 * The types of a version that steps may be labelled with: not the retired ones, and of the tail (unless `seldom`) not those
 * that were seen too seldom to be labelled with. `texts` false leaves the examples out.
 */
export function knownTypes(db: Db, taxonomyId: number, { texts = true, seldom = false } = {}): KnownType[] {
  return typesOf(db, taxonomyId)
    .filter((t) => t.status === "kept" || (t.status === "tail" && (seldom || t.errorSteps > 0)))
    .map((t) => ({
      id: t.id,
      name: t.name,
      definition: t.definition,
      excludes: t.excludes,
      detectors: t.detectors as MisbehaviorSlug[],
      examples: texts ? shortest(loadExamples(db, t.examples.slice(0, LOOKED_AT)), EXAMPLES) : [],
    }));
}
