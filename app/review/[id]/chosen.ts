import type { Question, ReviewAnswerInput } from "@/lib/review/types";
import type { Choice } from "./keys";
import type { Prefill } from "./seat-state";

/** What is switched on in a panel, and what was said of it last. */
export interface Chosen {
  types: ReadonlySet<number>;
  /** Of them, those of the answer before whose keys were not pressed since. */
  kept: ReadonlySet<number>;
  /** What became of the last choice, where it is not plain to see. */
  said: string | null;
}

/** What a showing starts with: what was said before. */
export const chosenBefore = ({ types }: Pick<Prefill, "types">): Chosen => ({
  ...{ types: new Set(types), kept: new Set(types), said: null },
});

/**
 * Switches a type. The key of one that is kept from the answer before says it again, and leaves it on: who goes back types
 * what they typed.
 */
export function switched(before: Chosen, { typeId = 0, label }: Choice, by: "key" | "pointer"): Chosen {
  const kept = new Set(before.kept);
  const types = new Set(before.types);
  if (kept.delete(typeId) && by === "key")
    return { types, kept, said: `“${label}” stays on, as you said before; its key again takes it away.` };
  const off = types.delete(typeId);
  if (!off) types.add(typeId);
  return { types, kept, said: off ? `“${label}” is taken away.` : null };
}

/** What Enter does: gives what is chosen, gives again what an answer taken back said, or says what is missing. */
export function onEnter(
  question: Question,
  { types }: Pick<Chosen, "types">,
  { verdict, types: before }: Pick<Prefill, "verdict" | "types">,
  again: boolean,
  choices: readonly Choice[],
): { give: ReviewAnswerInput } | { missing: string } {
  if (types.size > 0) return { give: { verdict: "types", types: [...types] } };
  const same = choices.find((c) => c.answer?.verdict === verdict && (verdict !== "types" || before.length === 0));
  if (same?.answer && again)
    return { missing: `Your answer “${same.label}” is in already; give another one to change it.` };
  if (same?.answer) return { give: same.answer };
  if (question === "types") return { missing: "Nothing is chosen: switch a type on first, or say 0 for none of them." };
  const keys = choices.slice(0, 2).map((c) => `${c.key} (${c.label})`);
  return { missing: `Nothing is chosen: press ${keys.join(" or ")}.` };
}
