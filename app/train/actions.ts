"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { enqueueTraining, NothingToTrainOn, UnusableTraining } from "@/lib/jobs/trainJob";
import { recipeOf } from "@/lib/train/recipes";
import { type DryRun, dryRun } from "@/lib/train/run/dryRun";
import type { GivenTrainSettings } from "@/lib/train/settings";

const whole = (least: number, most: number) =>
  z.number().int("a whole number").min(least, `at least ${least}`).max(most, `at most ${most}`);

const wanted = z.object({
  recipe: z.string().min(1),
  name: z.string().max(48),
  base: z.string().min(1),
  /** Slugs; empty: all. */
  misbehaviors: z.array(z.string()).max(200),
  steps: whole(1, 100_000),
  batch: whole(1, 256),
  group: whole(2, 256),
  learningRate: z.number().min(0, "0 or more").max(1, "at most 1"),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
});
export type WantedTraining = z.input<typeof wanted>;

function settingsOf({ recipe: name, name: _, misbehaviors, ...rest }: z.infer<typeof wanted>): GivenTrainSettings {
  const recipe = recipeOf(name);
  if (!recipe) throw new ActionRefused(`there is no recipe "${name}"`);
  const { start } = recipe.settings;
  const chosen =
    start.kind === "prefix" || start.kind === "environments" ? { ...start, prefixes: { misbehaviors } } : start;
  return { recipe: name, ...recipe.settings, ...rest, start: chosen };
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof NothingToTrainOn || error instanceof UnusableTraining) throw new ActionRefused(error.message);
    throw error;
  }
}

/** Queues a training of the embedded policy. */
export async function startTrainingAction(
  input: WantedTraining,
): Promise<ActionResult<{ runId: number; jobId: number }>> {
  return act(wanted, input, (values, actor) =>
    refusing(() =>
      enqueueTraining(getDb(), {
        ...(values.name.trim() === "" ? {} : { name: values.name.trim() }),
        settings: settingsOf(values),
        requestedBy: actor.name,
      }),
    ),
  );
}

/** What a training of these settings would do; nothing is queued. */
export async function dryRunAction(input: WantedTraining): Promise<ActionResult<DryRun>> {
  return act(wanted, input, (values) => refusing(() => dryRun(getDb(), 1, settingsOf(values))));
}
