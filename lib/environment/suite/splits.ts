import { FAMILIES } from "./generate";

/** First seeds of disjoint parts of the suite: what one part learned from, another never sees. */
export const FIRST_SEED = { profile: 0, pretrain: 100_000, heldout: 900_000 } as const;
export type Part = keyof typeof FIRST_SEED;

/** Family and seed of the n-th environment (from 0) of a part: families in turn, then the next seed. */
export function environmentAt(part: Part, n: number): { family: string; seed: number } {
  const family = FAMILIES[n % FAMILIES.length] as (typeof FAMILIES)[number];
  return { family: family.name, seed: FIRST_SEED[part] + Math.floor(n / FAMILIES.length) };
}

/** Which part a seed belongs to. */
export function partOf(seed: number): Part {
  if (seed >= FIRST_SEED.heldout) return "heldout";
  return seed >= FIRST_SEED.pretrain ? "pretrain" : "profile";
}

/** Name of an environment, as generate.ts gives it. */
export const suiteName = (family: string, seed: number): string => `tiny-${family}-${seed}`;

/** Family and seed of an environment's name; null when it is none of the suite's. */
export function parseSuiteName(name: string): { family: string; seed: number } | null {
  const parts = /^tiny-([a-z]+)-(\d{1,15})$/.exec(name);
  const family = FAMILIES.find((one) => one.name === parts?.[1]);
  return family && parts ? { family: family.name, seed: Number(parts[2]) } : null;
}
