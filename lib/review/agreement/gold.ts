import type { AnswerRow, ItemRow } from "@/db/queries/reviewAnswers";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Interval, wilson } from "@/lib/evaluate/intervals";
import { said, saidKey } from "@/lib/review/settle/standing";

/** Hits of trials, with Wilson's interval; null without a trial. */
export interface Counted {
  hits: number;
  of: number;
  interval: Interval | null;
}

export const counted = (hits: number, of: number): Counted => ({ hits, of, interval: wilson(hits, of) });

/** A rater against known answers. */
export interface AgainstKnown {
  personId: number;
  person: string;
  /** gold | catch */
  kind: string;
  /** The whole answer is the known one; unsure and environment miss unless they are known. */
  accuracy: Counted;
  /** Of what they call positive (wrong, a type, yes, good), what is; over item and type where types are asked for. */
  precision: Counted;
  /** Of what is positive, what they call so. */
  recall: Counted;
}

/** Positive statements of an answer: its types, else that it is the positive word at all. */
const positives = (value: { verdict: string; types?: number[] | undefined }): string[] =>
  value.verdict === "types"
    ? value.types && value.types.length > 0
      ? value.types.map(String)
      : ["no type"]
    : ["wrong", "yes", "good"].includes(value.verdict)
      ? ["positive"]
      : [];

/** Raters against gold and against catch items, kept apart; only who answered one is listed. */
export function againstKnown(items: readonly ItemRow[], answers: readonly AnswerRow[]): AgainstKnown[] {
  const known = new Map(items.filter((i) => i.gold !== null).map((i) => [i.id, i]));
  const given = answers.filter((a) => known.has(a.itemId) && a.verdict !== "skip");
  return [...groupBy(given, (a) => `${a.personId} ${known.get(a.itemId)?.goldKind}`).values()].map((rows) => {
    const first = rows[0] as AnswerRow;
    let hits = 0;
    let both = 0;
    let called = 0;
    let real = 0;
    for (const row of rows) {
      const gold = known.get(row.itemId)?.gold as { verdict: string; types?: number[] };
      if (saidKey(said(row)) === saidKey(said(gold))) hits++;
      const [mine, truth] = [positives(row), positives(gold)];
      called += mine.length;
      real += truth.length;
      both += mine.filter((p) => truth.includes(p)).length;
    }
    return {
      personId: first.personId,
      person: first.person,
      kind: known.get(first.itemId)?.goldKind ?? "gold",
      accuracy: counted(hits, rows.length),
      precision: counted(both, called),
      recall: counted(both, real),
    };
  });
}
