import { mean, sampleStandardDeviation } from "simple-statistics";

/** Mean of runs' scores and its standard error, sd (ddof 1) / sqrt(runs) (recipe 6); null with fewer than two runs. */
export function overRuns(scores: readonly number[]): { mean: number | null; se: number | null; runs: number } {
  if (scores.length === 0) return { mean: null, se: null, runs: 0 };
  const all = [...scores];
  const se = all.length < 2 ? null : sampleStandardDeviation(all) / Math.sqrt(all.length);
  return { mean: mean(all), se, runs: all.length };
}

/**
 * Standard error of the mean over tasks that were drawn from many: sd of the tasks' means / sqrt(tasks). How far another
 * set of tasks would move the score; the one over runs says how far running again would.
 */
export const overTasks = (taskMeans: readonly number[]): number | null =>
  taskMeans.length < 2 ? null : sampleStandardDeviation([...taskMeans]) / Math.sqrt(taskMeans.length);

/** Subsets of indices 0 to n-1 with k members; C(n, k) of them. */
function* subsets(n: number, k: number): Generator<number[]> {
  const at = Array.from({ length: k }, (_, i) => i);
  if (k > n) return;
  for (;;) {
    yield at;
    let i = k - 1;
    while (i >= 0 && at[i] === n - k + i) i--;
    if (i < 0) return;
    at[i] = (at[i] as number) + 1;
    for (let j = i + 1; j < k; j++) at[j] = (at[j - 1] as number) + 1;
  }
}

/**
 * Mean over all k-subsets of runs of the subset's standard error (paper Fig. 12a, recipe 6). Enumerated: at most C(16, 8) =
 * 12,870. null for k < 2 or k > runs.
 */
export function meanSeOverSubsets(scores: readonly number[], k: number): number | null {
  if (k < 2 || k > scores.length) return null;
  let sum = 0;
  let count = 0;
  for (const subset of subsets(scores.length, k)) {
    let total = 0;
    let squares = 0;
    for (const i of subset) total += scores[i] as number;
    const middle = total / k;
    for (const i of subset) squares += ((scores[i] as number) - middle) ** 2;
    sum += Math.sqrt(squares / (k - 1) / k);
    count++;
  }
  return sum / count;
}
