import type { AnswerRow } from "@/db/queries/reviewAnswers";
import { groupBy } from "@/lib/evaluate/groupBy";
import type { Ratings } from "@/lib/evaluate/stats/agreement/coefficient";
import { setKey } from "@/lib/evaluate/stats/agreement/distance";

/**
 * How answers that are no statement about the step enter: `apart`: unsure and environment are categories of their own;
 * `left-out`: they are missing, as skip always is.
 */
export type Unsettled = "apart" | "left-out";

const OPEN = ["unsure", "environment"];

const counts = (answer: AnswerRow, unsettled: Unsettled): boolean =>
  answer.verdict !== "skip" && (unsettled === "apart" || !OPEN.includes(answer.verdict));

/**
 * What an answer says as one category. A set of types is a set to MASI; "right", "unsure" and "none of the types" are sets
 * of one that have nothing in common with any other.
 */
export function categoryOf({ verdict, types }: Pick<AnswerRow, "verdict" | "types">): string {
  if (verdict !== "types") return verdict;
  return types.length === 0 ? "no type" : setKey(types);
}

const byItem = (
  answers: readonly AnswerRow[],
  unsettled: Unsettled,
  category: (answer: AnswerRow) => string,
): Ratings[] =>
  [...groupBy(answers, (a) => a.itemId).values()].map((rows) =>
    rows.filter((row) => counts(row, unsettled)).map((row) => ({ rater: row.personId, category: category(row) })),
  );

/** Ratings of every item, with what each answer says as a whole. */
export const ratingsOf = (answers: readonly AnswerRow[], unsettled: Unsettled): Ratings[] =>
  byItem(answers, unsettled, categoryOf);

/** The same for one type: does it apply, yes or no. Who says that nothing is wrong says no. */
export const typeRatings = (answers: readonly AnswerRow[], type: number, unsettled: Unsettled): Ratings[] =>
  byItem(answers, unsettled, (a) => (OPEN.includes(a.verdict) ? a.verdict : a.types.includes(type) ? "yes" : "no"));
