import "server-only";
import type { Db } from "@/db/client";
import { type EndCount, endCounts } from "@/db/queries/behaviorRates";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import type { Cluster } from "@/lib/evaluate/stats/linear";
import { pooledRecipes } from "./poolRecipes";
import type { Subjects } from "./subjects";
import type { PooledEnds } from "./types";

/**
 * How often the checkpoints pass from unseen prefixes on: share of samples, over prefixes in which every policy has an outcome, and
 * training seeds. null: the measurement did not let its samples go on, or none has an outcome.
 */
export function pooledEnds(
  db: Db,
  { base, trained, recipes }: Subjects,
  measured: Pick<BehaviorSummary, "id" | "protocol">,
): PooledEnds | null {
  if (!base || !measured.protocol.outcome) return null;
  const counts = new Map<number, Map<number, EndCount>>();
  for (const c of endCounts(db, measured.id)) {
    if (c.judge !== null || c.passed + c.failed === 0) continue;
    const own = counts.get(c.checkpointId) ?? new Map<number, EndCount>();
    counts.set(c.checkpointId, own.set(c.prefixId, c));
  }
  const with_ = trained.flatMap(({ recipe, seed, checkpoint }) =>
    checkpoint && counts.has(checkpoint.id) ? [{ recipe, seed, checkpoint }] : [],
  );
  const policies = [base.id, ...with_.map((t) => t.checkpoint.id)];
  const prefixes = [...(counts.get(base.id)?.keys() ?? [])]
    .filter((id) => policies.every((policy) => counts.get(policy)?.has(id)))
    .sort((a, b) => a - b);
  if (prefixes.length === 0) return null;
  const unitsOf = (policy: number): Cluster[] =>
    prefixes.map((id) => {
      const c = counts.get(policy)?.get(id) as EndCount;
      return { numerator: c.passed, denominator: c.passed + c.failed };
    });
  const units = with_.map(({ recipe, seed, checkpoint }) => ({
    recipe,
    seed,
    checkpointId: checkpoint.id,
    checkpoint: checkpoint.name,
    units: unitsOf(checkpoint.id),
  }));
  return { ...pooledRecipes(recipes, unitsOf(base.id), units, "ends"), prefixes: prefixes.length };
}
