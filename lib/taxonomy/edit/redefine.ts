import { changed, type DraftType, EditRefused, type Operation, usedType } from "./operations";

/**
 * Another definition: labels are carried and wait for a relabel. The rules looked for the old one, so they no longer label
 * this type.
 */
export function redefine(types: readonly DraftType[], op: Extract<Operation, { kind: "redefine" }>): DraftType[] {
  const type = usedType(types, op.type);
  if (type.definition === op.definition && JSON.stringify(type.excludes) === JSON.stringify(op.excludes))
    throw new EditRefused(`"${type.name}" is defined like this already`);
  return changed(types, op.type, {
    definition: op.definition,
    excludes: op.excludes,
    looksFor: null,
    detectors: [],
    stale: true,
  });
}
