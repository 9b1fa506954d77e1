import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { DEAD_CAUSES } from "@/lib/train/rl/dead";
import type { StepMetrics } from "@/lib/train/run/metrics";

interface Sums {
  rollouts: number;
  void: number;
  unjudged: number;
  reward: number | null;
  outcome: number | null;
  behavior: number | null;
  both: number;
  lucky: number;
  clean: number;
  neither: number;
  submitted: number;
  steps: number | null;
}

/** The numbers of a step out of what is stored of it. What another engine's files do not say is null. */
export function metricsOfStored(db: Db, runId: number, step: number): StepMetrics {
  const groups = statement(
    db,
    "select dead, count(*) as n from rollout_group where training_run_id = ? and step = ? group by dead",
  ).all(runId, step) as { dead: string | null; n: number }[];
  const sums = statement(
    db,
    `select count(*) as rollouts, count(r.void_reason) as void, total(r.verdict in ('failed', 'unparsed')) as unjudged,
       avg(r.reward) as reward, avg(r.outcome_reward) as outcome, avg(r.behavior_reward) as behavior,
       total(r.outcome_reward >= 1 and r.behavior_reward = 1) as both, total(r.outcome_reward >= 1 and r.behavior_reward = 0) as lucky,
       total(r.outcome_reward < 1 and r.behavior_reward = 1) as clean, total(r.outcome_reward < 1 and r.behavior_reward = 0) as neither,
       total(r.ended = 'submitted') as submitted, avg(r.steps) as steps
     from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = ? and g.step = ?`,
  ).get(runId, step) as Sums;
  const of = (cause: string | null) => groups.find((g) => g.dead === cause)?.n ?? 0;
  return {
    groups: groups.reduce((n, g) => n + g.n, 0),
    live: of(null),
    dead: Object.fromEntries(DEAD_CAUSES.map((cause) => [cause, of(cause)])) as StepMetrics["dead"],
    rollouts: sums.rollouts,
    void: sums.void,
    unjudged: sums.unjudged,
    reward: sums.reward,
    outcomeReward: sums.outcome,
    behaviorReward: sums.behavior,
    both: sums.both,
    luckyPass: sums.lucky,
    cleanFail: sums.clean,
    neither: sums.neither,
    submitted: sums.submitted,
    steps: sums.steps,
    tokensPerRollout: null,
    entropy: null,
    loss: null,
    gradNorm: null,
    kl: null,
    keptShare: null,
    trainedTokens: null,
    learningRate: null,
    ms: { rollouts: null, learn: null, total: null },
    rolloutsPerMinute: null,
    cursor: null,
  };
}

/** Writes the numbers of a step anew. */
export function storeMetrics(db: Db, runId: number, step: number): void {
  statement(
    db,
    "insert into training_step (training_run_id, step, metrics) values (?, ?, ?) on conflict do update set metrics = excluded.metrics",
  ).run(runId, step, JSON.stringify(metricsOfStored(db, runId, step)));
}
