/**
 * Unbiased pass@k of a task with `c` solved of `n` attempts: 1 - C(n-c, k) / C(n, k), in product form (Chen et al. 2021,
 * recipe 6). null for k > n: it cannot be known.
 */
export function passAtK(n: number, c: number, k: number): number | null {
  if (k > n) return null;
  if (n - c < k) return 1;
  let none = 1;
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i;
  return 1 - none;
}

/** Attempts at a task and how many of them solved it. */
export interface TaskCount {
  attempts: number;
  solved: number;
}

/** Mean over tasks; null without tasks, or when one has fewer attempts than k. */
export function meanPassAtK(tasks: readonly TaskCount[], k: number): number | null {
  let sum = 0;
  for (const { attempts, solved } of tasks) {
    const value = passAtK(attempts, solved, k);
    if (value === null) return null;
    sum += value;
  }
  return tasks.length === 0 ? null : sum / tasks.length;
}
