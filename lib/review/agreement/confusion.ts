import type { AnswerRow } from "@/db/queries/reviewAnswers";
import { groupBy } from "@/lib/evaluate/groupBy";
import type { Coefficient, Ratings } from "@/lib/evaluate/stats/agreement/coefficient";
import { type PairTable, pairKappa } from "@/lib/evaluate/stats/agreement/cohen";
import { ratingsOf, type Unsettled } from "./ratings";

/** Two raters against each other, over the items both answered. */
export interface RaterPair extends PairTable {
  kappa: Coefficient;
  /** Items on which they said the same. */
  same: number;
}

/** Every pair of raters that have an item in common. */
export function raterPairs(answers: readonly AnswerRow[], unsettled: Unsettled): RaterPair[] {
  const items = ratingsOf(answers, unsettled);
  const raters = [...new Set(answers.map((a) => a.personId))].sort((a, b) => a - b);
  const common = (first: number, second: number): Ratings[] =>
    items
      .map((ratings) => ratings.filter((r) => r.rater === first || r.rater === second))
      .filter((ratings) => ratings.length === 2);
  return raters.flatMap((first, i) =>
    raters.slice(i + 1).flatMap((second) => {
      const both = common(first, second);
      if (both.length === 0) return [];
      const pair = pairKappa(both, first, second, { key: `pair ${first} ${second}`, resamples: 1000 });
      return [{ ...pair, same: pair.table.reduce((sum, row, k) => sum + (row[k] ?? 0), 0) }];
    }),
  );
}

/** How often one answer stands against another. */
export interface Confused {
  /** Categories: ids of types as text, or a verdict. `first` <= `second` in the order of `categories`. */
  first: string;
  second: string;
  /** Pairs of answers to one item. */
  pairs: number;
}

/** What an answer says, one by one: its types, else its verdict. */
const parts = (a: AnswerRow): string[] =>
  a.verdict !== "types" ? [a.verdict] : a.types.length === 0 ? ["no type"] : a.types.map(String);

/**
 * What is taken for what, over all pairs of answers to one item: what both say counts for itself; of the rest, each part of
 * one stands against each part of the other, or against "nothing" where the other has no more.
 */
export function confusionOf(answers: readonly AnswerRow[]): Confused[] {
  const counts = new Map<string, Confused>();
  const count = (a: string, b: string) => {
    const [first, second] = [a, b].sort() as [string, string];
    const key = `${first}\0${second}`;
    const row = counts.get(key) ?? { first, second, pairs: 0 };
    row.pairs++;
    counts.set(key, row);
  };
  for (const rows of groupBy(
    answers.filter((a) => a.verdict !== "skip"),
    (a) => a.itemId,
  ).values())
    rows.forEach((one, i) => {
      for (const other of rows.slice(i + 1)) {
        const [a, b] = [parts(one), parts(other)];
        for (const part of a) if (b.includes(part)) count(part, part);
        const [mine, theirs] = [a.filter((p) => !b.includes(p)), b.filter((p) => !a.includes(p))];
        if (mine.length === 0 || theirs.length === 0) for (const p of [...mine, ...theirs]) count(p, "nothing");
        else for (const p of mine) for (const q of theirs) count(p, q);
      }
    });
  return [...counts.values()].sort((a, b) => b.pairs - a.pairs);
}
