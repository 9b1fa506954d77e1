import data from "./published.json";

/** Everything the MiRL paper (arXiv 2610.35697v1) printed that we hold: numbers only, as printed; read-only. */
export const PAPER = data;
export const PAPER_NAME = "MiRL paper, arXiv 2610.35697v1";

/** What the paper compares, in our words. */
export const SUBJECTS: Record<string, string> = {
  "qwen3.5-4b": "Qwen3.5-4B (base)",
  "tmax-4b": "TMax-4B",
  "tmax-189": "TMax-189",
  pivotrl: "PivotRL",
  "rar+": "RaR+",
  mirl: "MiRL",
  "tmax-189+env": "TMax-189, profiled environments",
  "tmax-189+env+prefix": "the same from prefixes (r_o only)",
  "mirl-0.25x": "MiRL, 47 environments",
  "mirl-0.5x": "MiRL, 94 environments",
  "mirl-2x": "MiRL, 378 environments",
  "qwen3.5-4b@tmax-paper": "Qwen3.5-4B as TMax reports it",
  "tmax-4b@tmax-paper": "TMax-4B as TMax reports it",
};
export const subjectName = (subject: string): string => SUBJECTS[subject] ?? subject;

/** The two benchmarks of the paper. */
export const BENCHMARKS = ["tb_lite", "tb_2_1"] as const;
export type Benchmark = (typeof BENCHMARKS)[number];
export const benchmarkName = (b: Benchmark): string => data.benchmarks[b].name;

/** A printed score: percent, with the standard error over `runs` evaluations of one checkpoint trained once. */
export interface PublishedScore {
  subject: string;
  mean: number;
  se: number;
  runs: number;
  /** Environments it was trained in, where the figure is over them. */
  environments: number | null;
}

/** Rows of Fig. 5 (main), Fig. 6 (ablation) or Fig. 11 (scaling) on one benchmark. */
export function publishedScores(figure: "main_results" | "ablation" | "scaling", benchmark: Benchmark) {
  return data[figure].rows.map(
    (row): PublishedScore => ({
      subject: row.subject,
      ...row[benchmark],
      runs: row.n_runs,
      environments: "environments" in row ? row.environments : null,
    }),
  );
}

/** Policies of Fig. 7, in its order. */
export const RATE_SUBJECTS = ["qwen3.5-4b", "tmax-4b", "mirl"] as const;
export type RateSubject = (typeof RATE_SUBJECTS)[number];

/** One printed misbehavior rate of Fig. 7: percent of samples; no interval is printed. */
export interface PublishedRate {
  judge: string;
  misbehavior: string;
  subject: RateSubject;
  value: number;
}

/** All 24 rates of Fig. 7. */
export const publishedRates = (): PublishedRate[] =>
  data.misbehavior_rates.rows.flatMap((row) =>
    RATE_SUBJECTS.map((subject) => ({
      judge: row.judge,
      misbehavior: row.misbehavior,
      subject,
      value: row[subject],
    })),
  );

/** Reduction of MiRL against the base under one judge, percent: of the mean rate (the headline), and mean of the reductions (D1). */
export function publishedReductions(): { judge: string; ofMeans: number; meanOf: number }[] {
  return [...new Set(data.misbehavior_rates.rows.map((r) => r.judge))].map((judge) => {
    const rows = data.misbehavior_rates.rows.filter((r) => r.judge === judge);
    const sum = (key: RateSubject) => rows.reduce((total, r) => total + r[key], 0);
    const each = rows.map((r) => 1 - r.mirl / r["qwen3.5-4b"]);
    return {
      judge,
      ofMeans: 100 * (1 - sum("mirl") / sum("qwen3.5-4b")),
      meanOf: (100 * each.reduce((a, b) => a + b, 0)) / each.length,
    };
  });
}
