import type { AnswerRow } from "@/db/queries/reviewAnswers";
import { alphaOf } from "@/lib/evaluate/stats/agreement/alpha";
import type { Coefficient, Ratings } from "@/lib/evaluate/stats/agreement/coefficient";
import { type MeanKappa, meanKappa } from "@/lib/evaluate/stats/agreement/cohen";
import { masi } from "@/lib/evaluate/stats/agreement/distance";
import { fleissOf } from "@/lib/evaluate/stats/agreement/fleiss";
import { rawAgreement } from "@/lib/evaluate/stats/agreement/raw";
import type { Rate } from "@/lib/evaluate/stats/rate";
import { ratingsOf, typeRatings, type Unsettled } from "./ratings";

/** How far people agree on something. */
export interface Measures {
  /** Pairs of answers to the same item that are the same, of all pairs. */
  raw: Rate;
  /** Mean over pairs of raters. */
  cohen: MeanKappa;
  fleiss: Coefficient;
  alpha: Coefficient;
}

/** What the answers say as a whole; `masi` only where they are sets of types. */
export interface Overall extends Measures {
  unsettled: Unsettled;
  masi: Coefficient | null;
}

const RESAMPLES = 1000;

function measures(items: readonly Ratings[], key: string): Measures {
  const options = { key, resamples: RESAMPLES };
  return {
    raw: rawAgreement(items, options),
    cohen: meanKappa(items, options),
    fleiss: fleissOf(items, options),
    alpha: alphaOf(items, options),
  };
}

/** Agreement on what was answered, of one round's answers. Intervals resample items; the same answers give the same. */
export function overallOf(answers: readonly AnswerRow[], question: string, unsettled: Unsettled): Overall {
  const items = ratingsOf(answers, unsettled);
  return {
    unsettled,
    ...measures(items, "overall"),
    masi: question === "types" ? alphaOf(items, { key: "masi", resamples: RESAMPLES }, masi) : null,
  };
}

export interface TypeAgreement extends Measures {
  type: number;
  name: string;
  /** Answers that name it. */
  said: number;
}

/** Agreement on each offered type, as a question of yes or no. */
export const byType = (
  answers: readonly AnswerRow[],
  types: readonly { id: number; name: string }[],
  unsettled: Unsettled,
): TypeAgreement[] =>
  types.map(({ id, name }) => ({
    type: id,
    name,
    said: answers.filter((a) => a.verdict === "types" && a.types.includes(id)).length,
    ...measures(typeRatings(answers, id, unsettled), `type ${id}`),
  }));
