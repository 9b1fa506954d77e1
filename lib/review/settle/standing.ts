import type { AnswerRow, ItemRow, ReviewQueueRow } from "@/db/queries/reviewAnswers";

/** What an answer says, apart from who gave it. */
export interface Said {
  verdict: string;
  /** Sorted; empty unless the verdict is `types`. */
  types: number[];
}

export const said = ({ verdict, types }: { verdict: string; types?: readonly number[] | null }): Said => ({
  verdict,
  types: verdict === "types" ? [...new Set(types ?? [])].sort((a, b) => a - b) : [],
});

/** The same for the same verdict and set of types. */
export const saidKey = (value: Said): string => `${value.verdict}:${value.types.join(",")}`;

/** The answers of an item that count for settling: of each person the one of the latest round, skips left out. */
export function decisive(answers: readonly AnswerRow[]): AnswerRow[] {
  const latest = new Map<number, AnswerRow>();
  for (const answer of answers) {
    const before = latest.get(answer.personId);
    if (!before || answer.round >= before.round) latest.set(answer.personId, answer);
  }
  return [...latest.values()].filter((a) => a.verdict !== "skip").sort((a, b) => a.id - b.id);
}

/**
 * Where an item stands: settled | gold (its answer is known: nothing to settle) | waiting (for answers) | unsure (all agree
 * that they do not know) | unanimous | conflict.
 */
export type Standing = "settled" | "gold" | "waiting" | "unsure" | "unanimous" | "conflict";

/** A closed queue gets no more answers: what there is has to do. So it is with a norming one that was revealed. */
function enough(answers: number, { raters, mode, phase }: Pick<ReviewQueueRow, "raters" | "mode" | "phase">): boolean {
  if (mode === "norming") return phase !== "blind" && answers > 0;
  return answers >= raters || (phase === "closed" && answers > 0);
}

/** `answers`: the decisive ones of the item. */
export function standingOf(
  item: Pick<ItemRow, "settlementId" | "goldKind" | "status">,
  answers: readonly AnswerRow[],
  queue: Pick<ReviewQueueRow, "raters" | "mode" | "phase">,
): Standing {
  if (item.settlementId !== null) return "settled";
  if (item.goldKind !== null) return "gold";
  if (!enough(answers.length, queue)) return "waiting";
  const keys = new Set(answers.map((a) => saidKey(said(a))));
  if (keys.size > 1) return "conflict";
  return answers[0]?.verdict === "unsure" ? "unsure" : "unanimous";
}
