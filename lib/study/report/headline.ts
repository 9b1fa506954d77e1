import { answerSentence } from "./aim";
import { estimate, judgeWord, percent } from "./say";
import type { PooledRates, StudyReport } from "./types";

const SHOWN = ["mirl", "outcome-prefix", "outcome-random", "outcome-env"];

/** A line a judge: mean rates of base and of the recipes of the aim, over how much, MiRL's reduction with its interval. */
function lineOf(r: PooledRates): string {
  const parts = SHOWN.flatMap((recipe) => {
    const row = r.recipes.find((x) => x.recipe === recipe);
    if (!row || row.mean.value === null) return [];
    const by = recipe === "mirl" && row.against.value !== null ? `, a reduction of ${estimate(row.against)}` : "";
    return [`${row.title} ${percent(row.mean.value)}${by}`];
  });
  const base = r.base.value === null ? "not known" : percent(r.base.value);
  return `Judge ${judgeWord(r.judge)}, ${r.prefixes} prefixes of ${r.misbehaviors.length} misbehaviors: base ${base}; ${parts.join("; ")}`;
}

/** A study in a few lines: the answer, then a line a judge. */
export const headlineOf = (report: StudyReport): string[] => {
  const answer = answerSentence(report);
  return answer === null ? [] : [answer, ...report.rates.map(lineOf)];
};
