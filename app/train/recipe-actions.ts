"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { archiveRecipe, RecipeRefused, saveRecipe } from "@/lib/train/ownRecipes";

const wanted = z.object({
  name: z.string().trim().min(1, "give it a name").max(48),
  about: z.string().max(500),
  basedOn: z.string().min(1),
  settings: z.record(z.string(), z.unknown()),
});

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RecipeRefused) throw new ActionRefused(error.message);
    throw error;
  }
}

/** Keeps settings as a recipe under a name of one's own. */
export async function saveRecipeAction(input: z.input<typeof wanted>): Promise<ActionResult<{ name: string }>> {
  return act(wanted, input, (values, actor) =>
    refusing(() => {
      saveRecipe(getDb(), values, actor.name);
      return { name: values.name };
    }),
  );
}

/** Takes a recipe of one's own out of use. */
export async function archiveRecipeAction(input: { name: string }): Promise<ActionResult<null>> {
  return act(z.object({ name: z.string().min(1) }), input, ({ name }, actor) =>
    refusing(() => {
      archiveRecipe(getDb(), name, actor.name);
      return null;
    }),
  );
}
