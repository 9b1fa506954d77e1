import { changed, type DraftType, type Operation, usedType } from "./operations";

/** The example steps that pages and annotators show, in this order; none: the shortest are shown. */
export function chooseExamples(types: readonly DraftType[], op: Extract<Operation, { kind: "examples" }>): DraftType[] {
  usedType(types, op.type);
  return changed(types, op.type, { examples: [...new Set(op.steps)] });
}
