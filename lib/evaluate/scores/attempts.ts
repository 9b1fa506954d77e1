import type { AttemptRow } from "@/db/queries/taskScores";

/** What one policy made of one task. Void attempts are counted apart and are in no score. */
export interface TaskAttempts {
  environmentId: number;
  task: string;
  /** Rewards of the attempts that count, in the order of their runs. */
  rewards: number[];
  /** Attempts whose reward is 1 or more. */
  solved: number;
  void: number;
}

/** One policy over the tasks of a set. */
export interface PolicyAttempts {
  checkpointId: number;
  checkpoint: string;
  tasks: TaskAttempts[];
  attempts: number;
  void: number;
  voidReasons: Record<string, number>;
  /** Mean steps of the attempts that state them, void ones included; null: none does. */
  meanSteps: number | null;
}

export const isSolved = (reward: number): boolean => reward >= 1;

/** apart: void attempts are in no score | zero: they count as 0, as some published numbers do; they are still counted as void. */
export const VOID_RULES = ["apart", "zero"] as const;
export type VoidRule = (typeof VOID_RULES)[number];

/** Policy x task x attempts from rows in the order of runs; `runs`: only so many attempts a task, void ones among them. */
export function attemptsByPolicy(
  rows: readonly AttemptRow[],
  { runs = null, voids = "apart" }: { runs?: number | null; voids?: VoidRule } = {},
): PolicyAttempts[] {
  const policies = new Map<number, PolicyAttempts & { stepsKnown: number; steps: number }>();
  const tasks = new Map<string, TaskAttempts>();
  for (const row of rows) {
    let policy = policies.get(row.checkpointId);
    if (!policy) {
      const { checkpointId, checkpoint } = row;
      policy = {
        ...{ checkpointId, checkpoint, tasks: [], attempts: 0, void: 0, voidReasons: {}, meanSteps: null },
        ...{ stepsKnown: 0, steps: 0 },
      };
      policies.set(checkpointId, policy);
    }
    const key = `${row.checkpointId} ${row.environmentId}`;
    let task = tasks.get(key);
    if (!task) {
      task = { environmentId: row.environmentId, task: row.task, rewards: [], solved: 0, void: 0 };
      tasks.set(key, task);
      policy.tasks.push(task);
    }
    if (runs !== null && task.rewards.length + (voids === "apart" ? task.void : 0) >= runs) continue;
    if (row.steps !== null) {
      policy.stepsKnown++;
      policy.steps += row.steps;
    }
    if (row.value === null) {
      task.void++;
      policy.void++;
      const reason = row.voidReason ?? "no reason is recorded";
      policy.voidReasons[reason] = (policy.voidReasons[reason] ?? 0) + 1;
      if (voids === "apart") continue;
    }
    const reward = row.value ?? 0;
    task.rewards.push(reward);
    policy.attempts++;
    if (isSolved(reward)) task.solved++;
  }
  return [...policies.values()].map(({ stepsKnown, steps, ...policy }) => ({
    ...policy,
    meanSteps: stepsKnown === 0 ? null : steps / stepsKnown,
  }));
}
