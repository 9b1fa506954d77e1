import { changed, checkName, type DraftType, EditRefused, type Operation, usedType } from "./operations";

/** A new name; meaning, labels and address stay. */
export function rename(types: readonly DraftType[], op: Extract<Operation, { kind: "rename" }>): DraftType[] {
  const type = usedType(types, op.type);
  if (type.name === op.name) throw new EditRefused(`the type is called "${op.name}" already`);
  checkName(types, op.name, [op.type]);
  return changed(types, op.type, { name: op.name });
}
