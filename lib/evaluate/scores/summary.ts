import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import { passAtK } from "@/lib/evaluate/stats/passAtK";
import { type Difference, differenceOf, type Pair } from "@/lib/evaluate/stats/rate";
import { meanSeOverSubsets, overRuns, overTasks } from "@/lib/evaluate/stats/scores";
import { isSolved, type PolicyAttempts, type TaskAttempts } from "./attempts";

/** solved: an attempt is 1 or 0 | reward: partial credit counts. */
export const SCORE_METRICS = ["solved", "reward"] as const;
export type ScoreMetric = (typeof SCORE_METRICS)[number];

const worth = (reward: number, metric: ScoreMetric): number =>
  metric === "reward" ? reward : isSolved(reward) ? 1 : 0;
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const taskMean = (task: TaskAttempts, metric: ScoreMetric) => mean(task.rewards.map((r) => worth(r, metric)));

/** Which question each error answers; stands beside it wherever it is shown. */
export const ERROR_QUESTIONS = {
  runs: "SE over runs: how far the score would move if the same checkpoint ran the same tasks again",
  tasks: "SE over tasks: how far the score would move with other tasks of the same kind",
  training: "Neither says how far training again would move it: a checkpoint is one training",
} as const;

/** pass@k over a fixed set of tasks. value null: a task of the set has fewer attempts (never extrapolated). */
export interface PassPoint {
  k: number;
  value: number | null;
}

/** Everything a set says of one policy. Scores are shares of 1. */
export interface ScoreSummary {
  checkpointId: number;
  checkpoint: string;
  metric: ScoreMetric;
  tasks: number;
  /** Tasks all of whose attempts are void: in no score. */
  tasksWithout: number;
  attempts: number;
  solved: number;
  /** Attempts with a reward strictly between 0 and 1. */
  partial: number;
  void: number;
  voidReasons: Record<string, number>;
  meanSteps: number | null;
  /** Mean over tasks of the task's mean; null: no attempt counts. */
  mean: number | null;
  /** Score of each run; null where runs do not hold the same tasks, `runsWhy` says so. */
  runScores: number[] | null;
  runsWhy: string | null;
  seRuns: number | null;
  seTasks: number | null;
  /** Fewest and most counted attempts of a task. */
  fewest: number;
  most: number;
  passAtK: PassPoint[];
  /** Tasks of the pass@k curve, and those left out of it because they have fewer than `k` attempts. */
  passTasks: number;
  passLeft: number;
  /** Mean over all k-subsets of runs of their standard error. */
  subsetSe: { k: number; value: number }[];
}

/** Subsets are enumerated: C(20, 10) is 184,756. */
const MOST_RUNS = 20;

const longest = (tasks: readonly TaskAttempts[]) => Math.max(0, ...tasks.map((t) => t.rewards.length));

/** The score of each run, when every task has the same number of attempts that count. */
function runScores(policy: PolicyAttempts, metric: ScoreMetric): { scores: number[] | null; why: string | null } {
  const counted = policy.tasks.filter((t) => t.rewards.length > 0);
  const [first] = counted;
  if (!first) return { scores: null, why: "no rollout counts" };
  if (counted.some((t) => t.void > 0 && t.rewards.length < longest(policy.tasks)))
    return { scores: null, why: `${policy.void} void: its runs hold different tasks` };
  const runs = first.rewards.length;
  if (counted.some((t) => t.rewards.length !== runs))
    return { scores: null, why: "its tasks have different numbers of rollouts" };
  return {
    scores: Array.from({ length: runs }, (_, run) => mean(counted.map((t) => worth(t.rewards[run] as number, metric)))),
    why: runs < 2 ? "one run: running again was not tried" : null,
  };
}

/** Largest k that at least half of the tasks have attempts for. */
const usualAttempts = (tasks: readonly TaskAttempts[]): number => {
  const sorted = tasks.map((t) => t.rewards.length).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

/** The k that pass@k is drawn up to when nobody says: what half of each policy's tasks have attempts for. */
export const defaultK = (policies: readonly PolicyAttempts[]): number =>
  Math.max(1, Math.min(...policies.map((p) => usualAttempts(p.tasks.filter((t) => t.rewards.length > 0)))));

/** `k`: pass@k is drawn up to it, over the tasks that have so many attempts. */
export function scoreSummary(policy: PolicyAttempts, metric: ScoreMetric, k: number): ScoreSummary {
  const counted = policy.tasks.filter((t) => t.rewards.length > 0);
  const means = counted.map((t) => taskMean(t, metric));
  const lengths = counted.map((t) => t.rewards.length);
  const { scores, why } = runScores(policy, metric);
  const most = Math.max(0, ...lengths);
  const enough = counted.filter((t) => t.rewards.length >= k);
  const subsets = scores && scores.length <= MOST_RUNS ? scores : [];
  return {
    checkpointId: policy.checkpointId,
    checkpoint: policy.checkpoint,
    metric,
    tasks: counted.length,
    tasksWithout: policy.tasks.length - counted.length,
    attempts: policy.attempts,
    solved: counted.reduce((sum, t) => sum + t.solved, 0),
    partial: counted.reduce((sum, t) => sum + t.rewards.filter((r) => r > 0 && r < 1).length, 0),
    void: policy.void,
    voidReasons: policy.voidReasons,
    meanSteps: policy.meanSteps,
    mean: means.length === 0 ? null : mean(means),
    runScores: scores,
    runsWhy: why,
    seRuns: scores ? overRuns(scores).se : null,
    seTasks: overTasks(means),
    fewest: lengths.length === 0 ? 0 : Math.min(...lengths),
    most,
    passAtK: Array.from({ length: k }, (_, i) => {
      const values = enough.map((t) => passAtK(t.rewards.length, t.solved, i + 1));
      const known = values.filter((v) => v !== null);
      return { k: i + 1, value: known.length === 0 || known.length < values.length ? null : mean(known) };
    }),
    passTasks: enough.length,
    passLeft: counted.length - enough.length,
    subsetSe: subsets.flatMap((_, i) => {
      const value = meanSeOverSubsets(subsets, i + 1);
      return value === null ? [] : [{ k: i + 1, value }];
    }),
  };
}

/** One task under two policies: the difference of its means. */
export interface TaskDifference {
  environmentId: number;
  task: string;
  before: number;
  after: number;
}

/** after - before, paired by task: the interval is over tasks, p of swapping the two policies within tasks. */
export interface ScoreDifference extends Difference {
  tasks: TaskDifference[];
  /** Tasks that only one of the two attempted. */
  unpaired: number;
  interval: Interval | null;
}

export function scoreDifference(before: PolicyAttempts, after: PolicyAttempts, metric: ScoreMetric): ScoreDifference {
  const counted = (p: PolicyAttempts) => p.tasks.filter((t) => t.rewards.length > 0);
  const others = new Map(counted(after).map((t) => [t.environmentId, t]));
  const tasks = counted(before).flatMap((t): TaskDifference[] => {
    const other = others.get(t.environmentId);
    if (!other) return [];
    return [
      { environmentId: t.environmentId, task: t.task, before: taskMean(t, metric), after: taskMean(other, metric) },
    ];
  });
  const pairs = tasks.map(
    (t): Pair => ({
      before: { numerator: t.before, denominator: 1 },
      after: { numerator: t.after, denominator: 1 },
    }),
  );
  const difference = differenceOf(pairs, { key: `scores\0${before.checkpoint}\0${after.checkpoint}\0${metric}` });
  const unpaired = counted(before).length + counted(after).length - 2 * tasks.length;
  return { ...difference, tasks, unpaired };
}
