import { changed, checkName, type DraftType, EditRefused, type Operation, typeOf } from "./operations";

/** Back in use, with the labels it had when it was retired, or brought in from the long tail to count as a misbehavior. */
export function restore(types: readonly DraftType[], op: Extract<Operation, { kind: "restore" }>): DraftType[] {
  const type = typeOf(types, op.type);
  if (type.status === "kept") throw new EditRefused(`"${type.name}" is in use already`);
  checkName(types, type.name, [op.type]);
  return changed(types, op.type, { status: "kept", restored: type.status === "retired" });
}
