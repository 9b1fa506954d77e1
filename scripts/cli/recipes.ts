import { Command } from "commander";
import type { Db } from "@/db/client";
import { type Difference, differences } from "@/lib/train/differences";
import {
  allRecipes,
  archiveRecipe,
  type FullRecipe,
  findRecipe,
  RecipeRefused,
  saveRecipe,
} from "@/lib/train/ownRecipes";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { readSettingsFile } from "./train";

/** What a shipped recipe is told by: how it differs from the method. */
const METHOD = "mirl";

function changesOf(db: Db, recipe: FullRecipe): { from: string; changes: Difference[] } {
  const from = recipe.basedOn ?? METHOD;
  const source = findRecipe(db, from)?.settings;
  return { from, changes: differences(source, { ...recipe.settings, recipe: from }) };
}

const said = (value: unknown): string => (value === undefined ? "not there" : JSON.stringify(value));

function lines(db: Db, recipe: FullRecipe, all: boolean): string[] {
  const { from, changes } = changesOf(db, recipe);
  return [
    `${recipe.name}${recipe.title === recipe.name ? "" : ` (${recipe.title})`}${recipe.basedOn === null ? "" : `, your own, from ${from}`}`,
    ...(recipe.about === "" ? [] : [`  ${recipe.about}`]),
    ...(all ? changes : []).map(({ path, from: before, to }) => `  ${path}: ${said(to)}  (${from}: ${said(before)})`),
  ];
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RecipeRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** misstep recipes */
export function recipesCommand(): Command {
  return new Command("recipes")
    .description("recipes of trainings, shipped and of your own")
    .option("--differences", "with every setting in which one differs from what it is made from")
    .option("--json", "print JSON")
    .action((options: JsonOption & { differences?: boolean }) => {
      const db = openIndex();
      const all = allRecipes(db);
      print(
        options,
        all.map((recipe) => ({ ...recipe, differences: changesOf(db, recipe).changes })),
        () => all.flatMap((recipe) => lines(db, recipe, options.differences === true)),
      );
    })
    .addCommand(
      new Command("show")
        .description("all settings of a recipe as the file that misstep train --settings takes")
        .argument("<name>")
        .action((name: string) => {
          const recipe = findRecipe(openIndex(), name);
          if (!recipe) throw new UsageError(`there is no recipe "${name}"; misstep recipes lists them`);
          process.stdout.write(`${JSON.stringify(recipe.settings, null, 2)}\n`);
        }),
    )
    .addCommand(
      new Command("save")
        .description("keep settings under a name of your own")
        .argument("<name>")
        .requiredOption("--settings <file>", "JSON, over those of the recipe it is made from")
        .option("--from <recipe>", "what it is made from", METHOD)
        .option("--about <sentence>", "what it is for", "")
        .action((name: string, { settings, from, about }: { settings: string; from: string; about: string }) => {
          const db = openIndex();
          const source = findRecipe(db, from);
          if (!source) throw new UsageError(`there is no recipe "${from}"; misstep recipes lists them`);
          const whole = { ...source.settings, ...readSettingsFile(settings) };
          refusing(() => saveRecipe(db, { name, about, basedOn: from, settings: whole }, "cli"));
          const kept = findRecipe(db, name);
          print({}, kept, () => (kept ? lines(db, kept, true) : []));
        }),
    )
    .addCommand(
      new Command("archive")
        .description("take a recipe of your own out of use; trainings made with it stay as they are")
        .argument("<name>")
        .action((name: string) => refusing(() => archiveRecipe(openIndex(), name, "cli"))),
    );
}
