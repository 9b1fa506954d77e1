import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { checkTrainSettings } from "./check";
import { differences, leavesOf, valueAt, withValue } from "./differences";
import { FIELDS } from "./fields";
import { KIND_STARTS } from "./kindStarts";
import { allRecipes, archiveRecipe, findRecipe, RecipeRefused, saveRecipe } from "./ownRecipes";
import { RECIPES, recipeOf } from "./recipes";
import { trainSettings } from "./settings";

const mirl = () => trainSettings.parse({ recipe: "mirl", ...recipeOf("mirl")?.settings });
const issuesOf = (given: unknown) => {
  const checked = checkTrainSettings(given);
  return checked.ok ? [] : checked.issues.map(({ path, message }) => `${path}: ${message}`);
};

describe("recipes of one's own", () => {
  let db: Db;
  beforeEach(() => {
    db = openMemoryDb();
  });
  afterEach(() => db.$client.close());

  const strict = () => withValue(withValue(mirl(), "reward.window", 8), "group", 16);

  test("are kept whole under their name and found like shipped ones", () => {
    saveRecipe(db, { name: "strict", about: " A longer window. ", basedOn: "mirl", settings: strict() }, "web");
    expect(allRecipes(db).map((r) => r.name)).toEqual([...RECIPES.map((r) => r.name), "strict"]);
    const found = findRecipe(db, "strict");
    expect(found).toMatchObject({ about: "A longer window.", basedOn: "mirl", settings: { recipe: "strict" } });
    expect(differences(mirl(), { ...found?.settings, recipe: "mirl" })).toEqual([
      { path: "reward.window", from: 5, to: 8 },
      { path: "group", from: 8, to: 16 },
    ]);
    saveRecipe(db, { name: "stricter", about: "", basedOn: "strict", settings: strict() }, "web");
    expect(findRecipe(db, "stricter")?.basedOn).toBe("mirl");
  });

  test("are refused under a name that is taken or none, and with settings that cannot be run", () => {
    const save = (name: string, settings: unknown = strict()) =>
      saveRecipe(db, { name, about: "", basedOn: "mirl", settings }, "web");
    save("mine");
    for (const name of ["mine", "mirl", "Mine", "", "../x"]) expect(() => save(name)).toThrow(RecipeRefused);
    expect(() => save("bad", { ...strict(), group: 1 })).toThrow("group: at least 2");
    expect(() => save("bad", { ...strict(), reward: { kind: "equivalence" } })).toThrow(RecipeRefused);
    expect(allRecipes(db)).toHaveLength(RECIPES.length + 1);
  });

  test("leave the list when archived, and their name is free again; both are in the audit", () => {
    saveRecipe(db, { name: "mine", about: "", basedOn: "mirl", settings: strict() }, "web");
    archiveRecipe(db, "mine", "cli");
    expect(findRecipe(db, "mine")).toBeUndefined();
    expect(() => archiveRecipe(db, "mine", "cli")).toThrow(RecipeRefused);
    expect(() => archiveRecipe(db, "mirl", "cli")).toThrow("comes with Misstep");
    saveRecipe(db, { name: "mine", about: "", basedOn: "mirl", settings: strict() }, "web");
    const rows = db.$client.prepare("select actor, verb, subject from audit order by id").raw().all();
    expect(rows).toEqual([
      ["web", "add", "recipe:mine"],
      ["cli", "archive", "recipe:mine"],
      ["web", "add", "recipe:mine"],
    ]);
    expect(db.$client.prepare("select count(*) from recipe").pluck().get()).toBe(2);
  });
});

describe("settings as a person gives them", () => {
  test("name every fault at its place, in words", () => {
    expect(issuesOf({ ...mirl(), group: 1, learningRate: "fast", steps: 2.5, advantage: "best" })).toEqual([
      "group: at least 2",
      "steps: a whole number",
      "advantage: one of centered, standard, maxrl",
      "learningRate: must be a number",
    ]);
    expect(issuesOf({ ...mirl(), reward: { kind: "outcome-and-behavior", window: 65 } })).toEqual([
      "reward.window: at most 64",
    ]);
  });

  test("do not lose a name that no setting has", () => {
    expect(issuesOf({ ...mirl(), learningrate: 1 })).toEqual(["learningrate: there is no setting of this name here"]);
    expect(issuesOf({ ...mirl(), reward: { kind: "outcome", window: 5 } })).toEqual([
      "reward.window: there is no setting of this name here",
    ]);
  });

  test("say what does not go together", () => {
    expect(issuesOf({ ...mirl(), start: { kind: "suite", count: 5 } })).toEqual([
      expect.stringContaining("start at prefixes"),
    ]);
    expect(issuesOf({ ...mirl(), start: { kind: "pivot", profileId: 1 } })).toHaveLength(2);
  });

  test("take a role by its name alone", () => {
    expect(issuesOf({ ...mirl(), reward: { kind: "outcome-and-behavior", judge: "rules" } })).toEqual([]);
  });
});

test("the form has every setting of every kind, and nothing else", () => {
  const paths = new Set<string>();
  const variants = Object.entries(KIND_STARTS).flatMap(([path, kinds]) =>
    Object.values(kinds).map((value) => [path.split(".")[0] as string, value] as const),
  );
  for (const [key, value] of variants) {
    const settings = trainSettings.parse({ ...mirl(), [key]: value });
    // What a kind starts with is complete: nothing is filled in behind the form's back.
    expect(valueAt(settings, key)).toEqual(value);
    for (const path of leavesOf(settings).keys()) paths.add(path.replace(/\.(use|options)$/, ""));
  }
  const elsewhere = ["recipe", "base", "start.prefixes.misbehaviors"];
  const optional = ["start.prefixes.ids", "start.prefixes.drawId"];
  expect(FIELDS.map((f) => f.path).sort()).toEqual(
    [...paths]
      .filter((path) => !elsewhere.includes(path))
      .concat(optional)
      .sort(),
  );
});

test("a value at a path is replaced without touching the others, and removed by undefined", () => {
  const before = { a: { b: 1, c: 2 }, d: [1] };
  expect(withValue(before, "a.b", 5)).toEqual({ a: { b: 5, c: 2 }, d: [1] });
  expect(Object.keys(withValue(before, "a.b", 5).a)).toEqual(["b", "c"]);
  expect(withValue(before, "a.b", undefined)).toEqual({ a: { c: 2 }, d: [1] });
  expect(before).toEqual({ a: { b: 1, c: 2 }, d: [1] });
  expect(differences(before, { a: { b: 1 }, d: [2] })).toEqual([
    { path: "a.c", from: 2, to: undefined },
    { path: "d", from: [1], to: [2] },
  ]);
});
