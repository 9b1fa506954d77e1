import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

/** A recipe of a person's own. */
export interface RecipeRow {
  id: number;
  name: string;
  about: string;
  /** Shipped recipe it was made from, by name. */
  basedOn: string;
  /** TrainSettings of lib/train/settings.ts, as stored. */
  settings: unknown;
  createdBy: string;
  createdAt: number;
}

const RECIPE =
  "select id, name, about, based_on as basedOn, settings, created_by as createdBy, created_at as createdAt from recipe";
const parsed = (row: RecipeRow): RecipeRow => ({ ...row, settings: JSON.parse(row.settings as string) });

/** Recipes in use, by name. */
export const ownRecipes = (db: Db): RecipeRow[] =>
  all<RecipeRow>(db, `${RECIPE} where archived_at is null order by name`).map(parsed);

/** The recipe in use of a name, or undefined. */
export function ownRecipe(db: Db, name: string): RecipeRow | undefined {
  const row = one<RecipeRow>(db, `${RECIPE} where archived_at is null and name = ?`, name);
  return row && parsed(row);
}
