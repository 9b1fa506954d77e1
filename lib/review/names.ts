import type { Said } from "./settle/standing";

/** Outcomes and answers as words on screen. */
const WORDS: Record<string, string> = {
  wrong: "wrong",
  right: "not an error",
  yes: "yes, it happened",
  no: "no",
  good: "good example",
  bad: "bad example",
  unsure: "unsure",
  environment: "environment at fault",
  skip: "skipped",
};

/** What was said, in words; `names` of types by id. */
export function saidText({ verdict, types }: Said, names: Readonly<Record<string, string>>): string {
  if (verdict !== "types") return verdict === "right" ? "not an error" : (WORDS[verdict] ?? verdict);
  return types.length === 0 ? "wrong, none of the types" : types.map((id) => names[id] ?? `type ${id}`).join(", ");
}

/** A category of agreement in words: see categoryOf of agreement/ratings.ts. */
export function categoryText(category: string, names: Readonly<Record<string, string>>): string {
  if (WORDS[category] !== undefined) return WORDS[category];
  if (category === "no type") return "wrong, none of the types";
  if (!/^\d+(,\d+)*$/.test(category)) return category;
  return saidText({ verdict: "types", types: category.split(",").map(Number) }, names);
}
