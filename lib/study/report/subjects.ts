import "server-only";
import type { Db } from "@/db/client";
import { type NamedCheckpoint, namedCheckpoints } from "@/db/queries/study";
import { MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import type { StudyState } from "@/lib/study/state";
import { recipeOf } from "@/lib/train/recipes";

/** One training of the study with the checkpoint that selection chose. */
export interface Subject {
  recipe: string;
  seed: number;
  runId: number;
  /** null: no candidate was chosen. */
  checkpoint: NamedCheckpoint | null;
}

export interface Subjects {
  base: NamedCheckpoint | null;
  trained: Subject[];
  /** Recipes in the order of the design. */
  recipes: string[];
}

/** Who the study compares; trainings without a chosen checkpoint have none. */
export function subjectsOf(db: Db, { design, made }: StudyState): Subjects {
  const scored = made.scores?.of ?? [];
  const baseId = scored.find((s) => s.recipe === null)?.checkpointId;
  const chosen = made.select?.chosen ?? [];
  const names = namedCheckpoints(db, [
    ...chosen.flatMap((c) => c.checkpointId ?? []),
    ...(baseId === undefined ? [] : [baseId]),
  ]);
  return {
    base: baseId === undefined ? null : (names.get(baseId) ?? null),
    trained: chosen.map(({ recipe, seed, runId, checkpointId }) => ({
      recipe,
      seed,
      runId,
      checkpoint: checkpointId === null ? null : (names.get(checkpointId) ?? null),
    })),
    recipes: design.train.recipes.map((r) => r.recipe),
  };
}

/** A recipe as it stands on pages. */
export const recipeTitle = (recipe: string): string => recipeOf(recipe)?.title ?? recipe;

/** A misbehavior as it stands on pages. */
export const misbehaviorName = (slug: string): string => MISBEHAVIORS.find((m) => m.slug === slug)?.name ?? slug;

/** What the paper calls the counterpart of a recipe; null: it has none. */
export const PAPER_SUBJECT: Record<string, string> = {
  base: "qwen3.5-4b",
  mirl: "mirl",
  "outcome-prefix": "tmax-189+env+prefix",
  "outcome-env": "tmax-189+env",
  "outcome-random": "tmax-189",
  pivotrl: "pivotrl",
  "rar+": "rar+",
};
