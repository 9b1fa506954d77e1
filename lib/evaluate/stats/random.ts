import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Whole numbers from 0 up to, and without, `n`; the same ones for the same key everywhere. */
export function seededBelow(key: string): (n: number) => number {
  const random = xoroshiro128plus(createHash("sha256").update(key).digest().readInt32BE(0));
  return (n) => uniformInt(random, 0, n - 1);
}

/** Uniform numbers in [0, 1); the same ones for the same key everywhere. */
export function seededUniform(key: string): () => number {
  const below = seededBelow(key);
  return () => below(2 ** 32) / 2 ** 32;
}
