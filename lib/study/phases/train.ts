import { statement } from "@/db/statement";
import { enqueueTraining } from "@/lib/jobs/trainJob";
import { finish, jobOf, madeBy, queueOnce, type RunPhase } from "@/lib/study/context";
import type { StudyState } from "@/lib/study/state";
import { recipeOf } from "@/lib/train/recipes";
import type { GivenTrainSettings } from "@/lib/train/settings";

/** Environments outside of those profiled, for the recipe that chooses without looking at errors. */
const RANDOM_FROM = 2000;

/** Recipes and seeds of a design, the first seed of every recipe before the second of any. */
export function trainingsOf({ train }: StudyState["design"]): { recipe: string; seed: number }[] {
  const most = Math.max(...train.recipes.map((r) => r.seeds.length));
  return Array.from({ length: most }, (_, i) =>
    train.recipes.flatMap(({ recipe, seeds }) => {
      const seed = seeds[i];
      return seed === undefined ? [] : [{ recipe, seed }];
    }),
  ).flat();
}

/** Settings of a training: the recipe's, the design's, and starts in the same number of environments for each (paper 4.1). */
export function settingsOf(
  state: StudyState,
  environments: number,
  of: { recipe: string; seed: number },
): GivenTrainSettings {
  const recipe = recipeOf(of.recipe);
  if (!recipe) throw new Error(`there is no recipe "${of.recipe}"`);
  const { train, base } = state.design;
  const { drawId } = madeBy(state, "prefixes");
  const { profileId } = madeBy(state, "profile");
  const starts: Record<GivenTrainSettings["start"]["kind"], GivenTrainSettings["start"]> = {
    prefix: { kind: "prefix", prefixes: { drawId } },
    environments: { kind: "environments", prefixes: { drawId } },
    suite: { kind: "suite", count: environments, from: RANDOM_FROM },
    pivot: { kind: "pivot", profileId, candidates: 2 * environments },
  };
  const { group, batch, ...own } = recipe.settings;
  const { steps, resample, learningRate, saveEvery } = train;
  return {
    ...own,
    recipe: of.recipe,
    base,
    start: starts[recipe.settings.start.kind],
    group: group ?? train.group,
    batch: batch ?? train.batch,
    ...{ steps, resample, learningRate, saveEvery },
    seed: of.seed,
  };
}

/** Trains every recipe with every seed of the design, one after the other. */
export const train: RunPhase = async (context) => {
  const { db, state } = context;
  const { made, design } = state;
  made.train ??= { runs: [] };
  const { runs } = made.train;
  const environments = statement(
    db,
    "select count(distinct environment_id) from prefix where draw_id = ? and split = 'training' and status = 'kept'",
  )
    .pluck()
    .get(madeBy(state, "prefixes").drawId) as number;
  const wanted = trainingsOf(design);
  for (const [i, of] of wanted.entries()) {
    context.progress(i / wanted.length, 1 / wanted.length);
    if (!runs.some((r) => r.recipe === of.recipe && r.seed === of.seed))
      queueOnce(context, () => {
        const { runId } = enqueueTraining(db, {
          name: `${of.recipe.replace("+", "-plus")}-seed-${of.seed}`,
          settings: settingsOf(state, environments, of),
          requestedBy: "study",
        });
        runs.push({ ...of, runId });
      });
    const run = runs.find((r) => r.recipe === of.recipe && r.seed === of.seed);
    if (run) await finish(context, jobOf(db, "training_run", run.runId));
  }
};
