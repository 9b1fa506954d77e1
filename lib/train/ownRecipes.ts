import "server-only";
import type { Db } from "@/db/client";
import { ownRecipe, ownRecipes, type RecipeRow } from "@/db/queries/recipes";
import { statement } from "@/db/statement";
import { checkTrainSettings, sayIssues } from "./check";
import { RECIPES, recipeOf } from "./recipes";
import { type GivenTrainSettings, type TrainSettings, trainSettings } from "./settings";

/** A shipped recipe or one of a person's own, with all of its settings. */
export interface FullRecipe {
  name: string;
  title: string;
  about: string;
  settings: TrainSettings;
  /** Shipped recipe an own one was made from; null: it is a shipped one. */
  basedOn: string | null;
}

/** A recipe cannot be kept as it is given. The message says why and what to do. */
export class RecipeRefused extends Error {}

const NAME = /^[a-z0-9][a-z0-9.+-]{0,47}$/;

const own = ({ name, about, basedOn, settings }: RecipeRow): FullRecipe => ({
  name,
  title: name,
  about,
  basedOn,
  settings: trainSettings.parse({ ...(settings as object), recipe: name }),
});

/** All recipes that can be picked: the shipped ones, then one's own by name. */
export const allRecipes = (db: Db): FullRecipe[] => [
  ...RECIPES.map(({ name, title, about, settings }) => ({
    name,
    title,
    about,
    basedOn: null,
    settings: trainSettings.parse({ ...settings, recipe: name }),
  })),
  ...ownRecipes(db).map(own),
];

/** The recipe of a name, or undefined. */
export function findRecipe(db: Db, name: string): FullRecipe | undefined {
  return allRecipes(db).find((recipe) => recipe.name === name);
}

export interface NewRecipe {
  /** Small letters, digits, dots, dashes and plus signs. */
  name: string;
  about: string;
  /** Shipped recipe it was made from; of an own one, what that was made from. */
  basedOn: string;
  settings: unknown;
}

/** Keeps settings under a name, with an audit row. Throws RecipeRefused. */
export function saveRecipe(db: Db, { name, about, basedOn, settings: given }: NewRecipe, actor: string): number {
  if (!NAME.test(name))
    throw new RecipeRefused(`"${name}" cannot be a name: use small letters, digits, dots and dashes`);
  if (recipeOf(name)) throw new RecipeRefused(`"${name}" is a recipe that comes with Misstep; choose another name`);
  const checked = checkTrainSettings({ ...(given as GivenTrainSettings), recipe: name });
  if (!checked.ok) throw new RecipeRefused(sayIssues(checked.issues));
  const source = recipeOf(basedOn)?.name ?? ownRecipe(db, basedOn)?.basedOn;
  if (source === undefined) throw new RecipeRefused(`there is no recipe "${basedOn}" that this one could be made from`);
  return db.$client
    .transaction(() => {
      if (ownRecipe(db, name))
        throw new RecipeRefused(`there is a recipe "${name}" already; archive it first, or choose another name`);
      const id = Number(
        statement(db, "insert into recipe (name, about, based_on, settings, created_by) values (?, ?, ?, ?, ?)").run(
          name,
          about.trim(),
          source,
          JSON.stringify(checked.settings),
          actor,
        ).lastInsertRowid,
      );
      audit(db, actor, "add", name, { basedOn: source });
      return id;
    })
    .immediate();
}

/** Takes a recipe out of use; trainings made with it keep their settings. Throws RecipeRefused. */
export function archiveRecipe(db: Db, name: string, actor: string): void {
  db.$client
    .transaction(() => {
      const { changes } = statement(
        db,
        "update recipe set archived_at = cast(unixepoch('subsec') * 1000 as integer) where name = ? and archived_at is null",
      ).run(name);
      if (changes === 0)
        throw new RecipeRefused(
          recipeOf(name)
            ? `"${name}" comes with Misstep and cannot be archived`
            : `there is no recipe "${name}" of your own`,
        );
      audit(db, actor, "archive", name, {});
    })
    .immediate();
}

function audit(db: Db, actor: string, verb: string, name: string, details: object): void {
  statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, ?, ?)").run(
    actor,
    verb,
    `recipe:${name}`,
    JSON.stringify(details),
  );
}
