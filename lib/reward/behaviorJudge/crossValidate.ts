import type { LearnedQuality } from "./learnedFile";
import { type Example, probability, trainLogistic } from "./logistic";

/** An example with the environment its window is from. */
export interface PlacedExample extends Example {
  environment: string;
}

/** Share of pairs of a yes and a no that the probabilities order rightly, ties half; null where a class is missing. */
export function aucOf(all: readonly { p: number; yes: boolean }[]): number | null {
  const yes = all.filter((a) => a.yes);
  const no = all.filter((a) => !a.yes);
  if (yes.length === 0 || no.length === 0) return null;
  let right = 0;
  for (const a of yes) for (const b of no) right += a.p > b.p ? 1 : a.p === b.p ? 0.5 : 0;
  return right / (yes.length * no.length);
}

const MOST_FOLDS = 5;

/**
 * Every window judged by a model that saw none of its environment: up to five folds of whole environments. Windows whose
 * fold leaves a class without examples are left out, and `windows` says how many were judged.
 */
export function crossValidate(examples: readonly PlacedExample[]): LearnedQuality {
  const environments = [...new Set(examples.map((e) => e.environment))].sort();
  const folds = Math.min(MOST_FOLDS, environments.length);
  const foldOf = new Map(environments.map((name, i) => [name, i % folds]));
  const judged: { p: number; yes: boolean }[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const seen = examples.filter((e) => foldOf.get(e.environment) !== fold);
    if (!seen.some((e) => e.yes) || !seen.some((e) => !e.yes)) continue;
    const model = trainLogistic(seen);
    for (const e of examples)
      if (foldOf.get(e.environment) === fold) judged.push({ p: probability(model, e.features), yes: e.yes });
  }
  const count = (said: boolean, yes: boolean) => judged.filter((j) => j.p >= 0.5 === said && j.yes === yes).length;
  const [tp, fp, fn] = [count(true, true), count(true, false), count(false, true)];
  return {
    windows: judged.length,
    truePositives: tp,
    falsePositives: fp,
    falseNegatives: fn,
    precision: tp + fp === 0 ? null : tp / (tp + fp),
    recall: tp + fn === 0 ? null : tp / (tp + fn),
    auc: aucOf(judged),
  };
}
