import type { StudyDesign } from "./design";
import type { Phase } from "./state";

/** Misbehaviors that the suite shows: prefixes are drawn for each. */
const MISBEHAVIORS = 8;

/**
 * Expected work of each phase in rollouts from a task start, for telling the time that is left. Weights measured on two
 * idle cores, learning and judging counted in.
 */
export function workOf({ profile, prefixes, judge, train, select, scores, rates }: StudyDesign): Record<Phase, number> {
  const trainings = train.recipes.reduce((sum, r) => sum + r.seeds.length, 0);
  const deep = train.recipes.filter((r) => scores.deep.includes(r.recipe)).length;
  const drawn = MISBEHAVIORS * prefixes.per * 0.7;
  const perStep = train.batch * train.group * (1 + 0.5 * train.resample);
  return {
    profile: profile.environments * profile.rollouts,
    heldout: profile.heldout * profile.rollouts,
    taxonomy: 5,
    prefixes: 1,
    rerun: drawn * prefixes.repeats * 0.5,
    judge: MISBEHAVIORS * judge.prefixes * judge.samples * 1.5,
    train: trainings * train.steps * perStep * 1.8,
    select: trainings * select.candidates * select.environments * select.runs * 1.8,
    scores: ((deep + 1) * scores.deepRuns + (trainings - deep) * scores.runs) * scores.environments * 1.4,
    rates: (trainings + 1) * MISBEHAVIORS * rates.prefixes * rates.samples * (rates.outcome ? 1.3 : 1.05),
  };
}
