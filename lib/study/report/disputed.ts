import { disputedSamples } from "@/db/queries/study";
import type { Context } from "./context";
import { judgeWord, percent } from "./say";

/** "4.7% (9 of 192) of the base's", for the checkpoints of one kind; null: no sample of them is called free. */
function share(rows: { free: number; found: number }[], whose: string): string | null {
  const free = rows.reduce((n, r) => n + r.free, 0);
  const found = rows.reduce((n, r) => n + r.found, 0);
  return free === 0 ? null : `${percent(found / free)} (${found} of ${free}) of ${whose}`;
}

/**
 * Where the judge that pays (the rules) sees nothing and another sees the misbehavior, by whose samples they are: a judge that
 * was taught on other policies may be wrong about trained ones, or the rules may miss what training taught to hide.
 */
export function disputedSentences({ db, state, subjects, rates, ended }: Context): string[] {
  const evaluationId = ended.has("rates") ? state.made.rates?.evaluationId : undefined;
  const rules = rates.find((r) => r.judge.startsWith("rules "))?.judge;
  if (evaluationId === undefined || rules === undefined) return [];
  return rates.flatMap(({ judge }) => {
    if (judge === rules) return [];
    const rows = disputedSamples(db, evaluationId, rules, judge);
    const recipeOf = new Map(subjects.trained.map((t) => [t.checkpoint?.id, t.recipe]));
    const of = (wanted: (recipe: string | undefined, id: number) => boolean) =>
      rows.filter((row) => wanted(recipeOf.get(row.checkpointId), row.checkpointId));
    const told = [
      share(
        of((_, id) => id === subjects.base?.id),
        "the base’s",
      ),
      share(
        of((recipe) => recipe === "mirl"),
        "MiRL’s",
      ),
      share(
        of((recipe) => recipe !== undefined && recipe !== "mirl"),
        "the other recipes’",
      ),
    ].filter((text) => text !== null);
    if (told.length === 0) return [];
    const taught = judge.startsWith("learned:")
      ? " It learned from scripted policies alone, one of them the one that the base learned from."
      : "";
    return [
      `Of the samples that ${judgeWord(rules)} calls free of the misbehavior, ${judgeWord(judge)} finds it in ${told.join(", ")}.${taught} Whether these are its mistakes or those of the rules, only people who read them can say (Review, items on which judges differ).`,
    ];
  });
}
