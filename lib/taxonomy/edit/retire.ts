import { changed, type DraftType, type Operation, usedType } from "./operations";

/** Taken out of use: its labels are not carried, and it can be restored. */
export function retire(types: readonly DraftType[], op: Extract<Operation, { kind: "retire" }>): DraftType[] {
  usedType(types, op.type);
  return changed(types, op.type, { status: "retired", stale: false });
}
