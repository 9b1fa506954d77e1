import { randomOf } from "@/lib/environment/suite/draw";

/** The ids in a seeded random order; the same seed and ids give the same order. */
export function shuffled(ids: readonly number[], seed: number): number[] {
  const next = randomOf(`taxonomy ${seed}`);
  const out = [...ids];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const [a, b] = [out[i], out[j]];
    if (a !== undefined && b !== undefined) [out[i], out[j]] = [b, a];
  }
  return out;
}

/** Consecutive pieces of at most `size`. */
export const pieces = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/**
 * Batches to propose and to refine with: no error step is in two of them. Where there are too few steps for all, the first
 * proposing batches get them.
 */
export function drawBatches(
  ids: readonly number[],
  {
    seed,
    batchSize,
    proposeBatches,
    maxRefine,
  }: { seed: number; batchSize: number; proposeBatches: number; maxRefine: number },
): { propose: number[][]; refine: number[][] } {
  const batches = pieces(shuffled(ids, seed).slice(0, batchSize * (proposeBatches + maxRefine)), batchSize);
  return { propose: batches.slice(0, proposeBatches), refine: batches.slice(proposeBatches) };
}
