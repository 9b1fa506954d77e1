import { MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import { RULES_VERSION } from "@/lib/profile/rules";
import type {
  Annotated,
  Annotator,
  Example,
  KnownType,
  Labelled,
  Proposed,
  ProposedType,
  Refined,
} from "@/lib/taxonomy/types";

export const RULES_ANNOTATOR = "rules";

const answer = <T>(output: T): Promise<Annotated<T>> => Promise.resolve({ output, repairs: [], callId: null });

/** The misbehaviors that detectors named in the batch, with the built-in definitions. */
function detectedTypes(batch: readonly Example[]): ProposedType[] {
  return MISBEHAVIORS.flatMap((m) => {
    const exampleIds = batch.filter((e) => e.detected.includes(m.slug)).map((e) => e.id);
    return exampleIds.length === 0
      ? []
      : [{ name: m.name, definition: m.definition, excludes: [...m.not], exampleIds, detectors: [m.slug] }];
  });
}

/** Types of an example: those with a detector that named it. */
const typesOf = (types: readonly KnownType[], e: Example): string[] =>
  types.filter((t) => t.detectors.some((d) => e.detected.includes(d))).map((t) => t.name);

/**
 * The rule detectors as an annotator: what they named is of that type, and of what they did not name they know nothing
 * ("unclear" while types are sought, no type when labelling). Types without detectors are outside of what it can see.
 */
export const rulesAnnotator: Annotator = {
  kind: "rule",
  name: RULES_ANNOTATOR,
  version: RULES_VERSION,
  propose: (batch) =>
    answer<Proposed>({
      types: detectedTypes(batch),
      unassigned: batch.filter((e) => e.detected.length === 0).map((e) => ({ id: e.id, reason: "unclear" })),
    }),
  refine(types, batch) {
    const known = new Set(types.flatMap((t) => t.detectors));
    const assignments = batch.map((e) => ({ id: e.id, types: typesOf(types, e) })).filter((a) => a.types.length > 0);
    const newTypes = detectedTypes(batch).filter((t) => !t.detectors?.some((d) => known.has(d)));
    const placed = new Set([...assignments.map((a) => a.id), ...newTypes.flatMap((t) => t.exampleIds)]);
    return answer<Refined>({
      assignments,
      newTypes,
      unassigned: batch.filter((e) => !placed.has(e.id)).map((e) => ({ id: e.id, reason: "unclear" })),
    });
  },
  label(types, batch) {
    const all = batch.map((e) => ({ id: e.id, types: typesOf(types, e) }));
    return answer<Labelled>({
      assignments: all.filter((a) => a.types.length > 0),
      unassigned: all.filter((a) => a.types.length === 0).map((a) => a.id),
    });
  },
};
