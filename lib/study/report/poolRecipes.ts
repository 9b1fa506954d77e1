import type { Cluster } from "@/lib/evaluate/stats/linear";
import { type PooledEstimate, pooled, type Question } from "./pool";
import { recipeTitle } from "./subjects";
import type { PooledRecipe } from "./types";

/** A chosen checkpoint of a training with its units, in the order of the base's. */
export interface TrainedUnits {
  recipe: string;
  seed: number;
  checkpointId: number;
  checkpoint: string;
  units: readonly Cluster[];
}

/** Shares that are better when higher, pooled over units and training seeds: of base, of each recipe, and the first recipe less each other. */
export function pooledRecipes(
  recipes: readonly string[],
  base: readonly Cluster[],
  trained: readonly TrainedUnits[],
  key: string,
): { base: PooledEstimate; recipes: PooledRecipe[] } {
  const present = recipes.filter((recipe) => trained.some((t) => t.recipe === recipe));
  const of = (recipe: string) => trained.filter((t) => t.recipe === recipe);
  const [first, ...rest] = pooled(
    [{ seeds: [[base]] }, ...present.map((recipe) => ({ seeds: of(recipe).map((t) => [t.units]) }))],
    [
      { kind: "mean", arms: [0] },
      ...present.flatMap((_, i): Question[] => [
        { kind: "mean", arms: [i + 1] },
        { kind: "difference", arms: [i + 1, 0] },
        { kind: "difference", arms: [1, i + 1] },
      ]),
    ],
    key,
  ) as [PooledEstimate, ...PooledEstimate[]];
  return {
    base: first,
    recipes: present.map((recipe, i): PooledRecipe => {
      const [mean, against, difference] = rest.slice(3 * i) as [PooledEstimate, PooledEstimate, PooledEstimate];
      return {
        recipe,
        title: recipeTitle(recipe),
        seeds: of(recipe).map(({ seed, checkpointId, checkpoint, units }) => ({
          seed,
          checkpointId,
          checkpoint,
          value: pooled([{ seeds: [[units]] }], [{ kind: "mean", arms: [0] }], "one", 0)[0]?.value ?? null,
        })),
        mean,
        against,
        difference: i === 0 ? null : difference,
      };
    }),
  };
}
