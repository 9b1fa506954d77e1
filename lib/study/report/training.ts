import "server-only";
import type { Db } from "@/db/client";
import { phaseRows } from "@/db/queries/costPhases";
import { type UsedUpTo, unpaidByStep, usedUpTo } from "@/db/queries/study";
import type { StudyState } from "@/lib/study/state";
import type { Subjects } from "./subjects";

/** What one training used up to its chosen checkpoint (paper Fig. 9 and 10), and what its starts cost before. */
export interface TrainingUse extends UsedUpTo {
  recipe: string;
  seed: number;
  runId: number;
  /** Chosen step; null: none is chosen yet, and the whole training is counted. */
  step: number | null;
  /** Profiles that its starts came from; null: it starts without a profile. */
  before: { rollouts: number; tokens: number | null; busyMs: number | null } | null;
  /** Groups of the whole training by step. */
  byStep: { step: number; groups: number; unpaid: number }[];
}

/** Recipes whose starts or environments come from the profile, as the paper counts preprocessing. */
const PROFILED = new Set(["mirl", "outcome-prefix", "outcome-env", "pivotrl"]);

export function trainingUses(db: Db, { made }: StudyState, subjects: Subjects): TrainingUse[] {
  const phases = phaseRows(db);
  const profile = phases.find((p) => p.phase === "profile");
  return (made.train?.runs ?? []).map(({ recipe, seed, runId }) => {
    const subject = subjects.trained.find((t) => t.runId === runId);
    const step = subject?.checkpoint?.trainingStep ?? null;
    const own =
      phases.find((p) => p.trainingId === runId && p.phase === "profile") ??
      (PROFILED.has(recipe) ? profile : undefined);
    return {
      recipe,
      seed,
      runId,
      step,
      ...usedUpTo(db, runId, step ?? Number.MAX_SAFE_INTEGER),
      before: own ? { rollouts: own.rollouts, tokens: own.tokens, busyMs: own.busyMs } : null,
      byStep: unpaidByStep(db, runId),
    };
  });
}
