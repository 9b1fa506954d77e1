/** Percentile of samples by nearest rank; `p` in 0…100. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((p / 100) * sorted.length) - 1))] ?? Number.NaN;
}

export interface Timing {
  n: number;
  p50: number;
  p95: number;
  max: number;
}

/** Runs `call` n times after one warm-up call; milliseconds. */
export function time(n: number, call: (i: number) => unknown): Timing {
  call(0);
  const samples: number[] = [];
  for (let i = 0; i < n; i++) {
    const from = performance.now();
    call(i);
    samples.push(performance.now() - from);
  }
  return summary(samples);
}

/** Percentiles of samples, milliseconds, to a hundredth. */
export function summary(samples: number[]): Timing {
  const round = (x: number) => Math.round(x * 100) / 100;
  return {
    n: samples.length,
    p50: round(percentile(samples, 50)),
    p95: round(percentile(samples, 95)),
    max: round(Math.max(...samples)),
  };
}

/** One measured number against its budget. */
export interface Measure {
  name: string;
  value: number;
  unit: string;
  budget: string;
  met: boolean;
  detail?: unknown;
}
