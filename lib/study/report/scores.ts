import "server-only";
import type { Db } from "@/db/client";
import { scoredDatasets } from "@/db/queries/study";
import { attemptRows } from "@/db/queries/taskScores";
import { attemptsByPolicy, type PolicyAttempts } from "@/lib/evaluate/scores/attempts";
import { passAtK } from "@/lib/evaluate/stats/passAtK";
import type { StudyState } from "@/lib/study/state";
import { type Arm, type PooledEstimate, pooled } from "./pool";
import { pooledRecipes } from "./poolRecipes";
import type { Subjects } from "./subjects";
import type { PooledScores } from "./types";

/** Attempts of the study's own evaluations by checkpoint; those of other evaluations of the same tasks are not in it. */
export function studyAttempts(db: Db, state: StudyState): Map<number, PolicyAttempts> {
  const ids = new Set((state.made.scores?.of ?? []).flatMap((s) => s.evaluationId ?? []));
  if (ids.size === 0) return new Map();
  const rows = scoredDatasets(db, [...ids]).flatMap((dataset) => attemptRows(db, { source: "evaluation", dataset }));
  const own = rows.filter((row) => row.evaluationId !== null && ids.has(row.evaluationId));
  return new Map(attemptsByPolicy(own).map((p) => [p.checkpointId, p]));
}

type Counted = PolicyAttempts["tasks"][number];
const solvedShare = (t: Counted | undefined) => ({
  numerator: t?.rewards.length ? t.solved / t.rewards.length : 0,
  denominator: t?.rewards.length ? 1 : 0,
});

/** Environments in which every one of these policies has an attempt that counts. */
const common = (policies: readonly PolicyAttempts[]): number[] => {
  const counted = policies.map((p) => new Set(p.tasks.filter((t) => t.rewards.length > 0).map((t) => t.environmentId)));
  return [...(counted[0] ?? [])].filter((id) => counted.every((set) => set.has(id))).sort((a, b) => a - b);
};

const armOf = (
  policies: readonly PolicyAttempts[],
  environments: readonly number[],
  unit: (t: Counted | undefined) => { numerator: number; denominator: number },
): Arm => ({
  seeds: policies.map((p) => {
    const tasks = new Map(p.tasks.map((t) => [t.environmentId, t]));
    return [environments.map((id) => unit(tasks.get(id)))];
  }),
});

/** Held-out scores of recipes over their training seeds: mean over environments of the share of attempts that solved it, paired by environment. */
export function pooledScores(attempts: Map<number, PolicyAttempts>, subjects: Subjects): PooledScores | null {
  const base = subjects.base && attempts.get(subjects.base.id);
  if (!base) return null;
  const with_ = subjects.trained.flatMap((t) => {
    const policy = t.checkpoint && attempts.get(t.checkpoint.id);
    return policy ? [{ ...t, policy }] : [];
  });
  const environments = common([base, ...with_.map((t) => t.policy)]);
  const unitsOf = (policy: PolicyAttempts) => armOf([policy], environments, solvedShare).seeds[0]?.[0] ?? [];
  const trained = with_.map(({ recipe, seed, policy }) => ({
    recipe,
    seed,
    checkpointId: policy.checkpointId,
    checkpoint: policy.checkpoint,
    units: unitsOf(policy),
  }));
  return {
    ...pooledRecipes(subjects.recipes, unitsOf(base), trained, "scores"),
    environments: environments.length,
  };
}

/** first − second, over training seeds, paired by the environments that both attempted. */
export function scoreGap(
  attempts: Map<number, PolicyAttempts>,
  subjects: Subjects,
  first: string,
  second: string,
): PooledEstimate | null {
  const of = (recipe: string) =>
    subjects.trained.flatMap((t) => (t.recipe === recipe && t.checkpoint && attempts.get(t.checkpoint.id)) || []);
  const [a, b] = [of(first), of(second)];
  if (a.length === 0 || b.length === 0) return null;
  const environments = common([...a, ...b]);
  return (
    pooled(
      [armOf(a, environments, solvedShare), armOf(b, environments, solvedShare)],
      [{ kind: "difference", arms: [0, 1] }],
      `scores ${first} ${second}`,
    )[0] ?? null
  );
}

/** pass@k of first − that of second, of single checkpoints, paired by the environments with k attempts of both; null: there are none. */
export function passGap(first: PolicyAttempts, second: PolicyAttempts, k: number): PooledEstimate | null {
  const pass = (t: Counted | undefined) => {
    const value = t ? passAtK(t.rewards.length, t.solved, k) : null;
    return { numerator: value ?? 0, denominator: value === null ? 0 : 1 };
  };
  const long = (p: PolicyAttempts): PolicyAttempts => ({ ...p, tasks: p.tasks.filter((t) => t.rewards.length >= k) });
  const environments = common([long(first), long(second)]);
  if (environments.length === 0) return null;
  return (
    pooled(
      [armOf([first], environments, pass), armOf([second], environments, pass)],
      [{ kind: "difference", arms: [0, 1] }],
      `pass ${k} ${first.checkpoint} ${second.checkpoint}`,
    )[0] ?? null
  );
}
