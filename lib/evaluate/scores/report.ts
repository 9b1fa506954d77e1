import "server-only";
import type { Db } from "@/db/client";
import { attemptRows, descents, type ScoreSet, scoreSets, trainingEnvironments } from "@/db/queries/taskScores";
import { attemptsByPolicy, type PolicyAttempts, type VoidRule } from "./attempts";
import { baseFirst } from "./baseFirst";
import {
  defaultK,
  type ScoreDifference,
  type ScoreMetric,
  type ScoreSummary,
  scoreDifference,
  scoreSummary,
} from "./summary";

/** What is asked of a set; null: what fits. */
export interface ScoreRequest {
  /** Key of the set; null: the largest. */
  set: string | null;
  /** Names of policies, in the order they are shown; null: all, a base first. */
  models: readonly string[] | null;
  metric: ScoreMetric;
  /** pass@k is drawn up to it. */
  k: number | null;
  /** Only the first so many attempts of a task. */
  runs: number | null;
  voids: VoidRule;
}

/** Everything that scores of a set of runs say. */
export interface ScoreReport {
  set: ScoreSet;
  sets: ScoreSet[];
  /** Names of every policy of the set, asked for or not, a base first. */
  everyone: string[];
  /** Asked for, but not in the set. */
  missing: string[];
  metric: ScoreMetric;
  k: number;
  /** Most attempts of a task. */
  mostAttempts: number;
  runs: number | null;
  voids: VoidRule;
  policies: PolicyAttempts[];
  scores: ScoreSummary[];
  /** Of the first policy and each other. */
  differences: { before: string; after: string; difference: ScoreDifference }[];
  /** "checkpoint environment" of which a trajectory can be read. */
  readable: Set<string>;
  /** Environments that the training of a checkpoint drew from, by checkpoint; those that were not trained here are not in it. */
  trainedIn: Map<number, number>;
}

/** undefined: no set has that key, or there is none. */
export function scoreReport(db: Db, request: ScoreRequest): ScoreReport | undefined {
  const sets = scoreSets(db);
  const set = request.set === null ? sets[0] : sets.find((s) => s.key === request.set || s.dataset === request.set);
  if (!set) return undefined;
  const rows = attemptRows(db, set);
  const all = baseFirst(attemptsByPolicy(rows, request), descents(db));
  const everyone = all.map((p) => p.checkpoint);
  const policies =
    request.models === null
      ? all
      : [...new Set(request.models)].flatMap((name) => all.find((p) => p.checkpoint === name) ?? []);
  const mostAttempts = Math.max(1, ...policies.flatMap((p) => p.tasks.map((t) => t.rewards.length)));
  const k = Math.min(request.k ?? (policies.length === 0 ? 1 : defaultK(policies)), mostAttempts);
  const [first] = policies;
  return {
    set,
    sets,
    everyone,
    missing: (request.models ?? []).filter((name) => !everyone.includes(name)),
    metric: request.metric,
    k,
    mostAttempts,
    runs: request.runs,
    voids: request.voids,
    policies,
    scores: policies.map((p) => scoreSummary(p, request.metric, k)),
    differences: first
      ? policies.slice(1).map((p) => ({
          before: first.checkpoint,
          after: p.checkpoint,
          difference: scoreDifference(first, p, request.metric),
        }))
      : [],
    readable: new Set(rows.filter((r) => r.trajectoryId !== null).map((r) => `${r.checkpointId} ${r.environmentId}`)),
    trainedIn: new Map(trainingEnvironments(db).map((t) => [t.checkpointId, t.environments])),
  };
}
