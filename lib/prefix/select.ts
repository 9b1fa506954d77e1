import { createHash } from "node:crypto";

/** An error step that may be drawn for any of its misbehaviors. */
export interface Candidate {
  stepId: number;
  /** What the step is called however the index came to be: the same in every index that was made from the same seeds. */
  key: string;
  /** Misbehaviors the step is labelled with (error type ids). */
  types: readonly number[];
  /** Name of its environment; null: its trajectory names none. */
  environment: string | null;
  /** The split its environment is fixed to, when it is. */
  fixed: Split | null;
}

export type Split = "training" | "heldout";

export interface SelectParams {
  /** Prefixes a misbehavior. */
  per: number;
  seed: number;
  /** Share of the environments that are held out, 0 to 1. */
  heldOut: number;
}

export interface Drawn {
  stepId: number;
  errorTypeId: number;
  /** null: no environment is named, so it can be in neither part. */
  split: Split | null;
}

/** What a misbehavior asked for and got. */
export interface DrawnType {
  errorTypeId: number;
  asked: number;
  /** Error steps with this misbehavior. A step of several misbehaviors is available to each and drawn for one. */
  available: number;
  drawn: number;
}

/** A draw: its prefixes in the order of the keys of their steps, and what each misbehavior got. */
export interface Selection {
  drawn: Drawn[];
  types: DrawnType[];
}

/** Place of something in an order that depends on the seed and on nothing else, so that new data moves nothing. */
const rank = (seed: number, what: string): string => createHash("sha256").update(`${seed}:${what}`).digest("hex");

/** Environments held out: the first `share` of them in the order of the seed, after those whose split is fixed. */
function splitsOf(candidates: readonly Candidate[], { seed, heldOut }: SelectParams): Map<string, Split> {
  const splits = new Map<string, Split>();
  for (const { environment, fixed } of candidates) if (environment !== null && fixed) splits.set(environment, fixed);
  const open = new Set(
    candidates.flatMap((c) => (c.environment === null || splits.has(c.environment) ? [] : [c.environment])),
  );
  const order = [...open]
    .map((name) => ({ name, key: rank(seed, `environment ${name}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const held = Math.round(order.length * heldOut);
  for (const [i, { name }] of order.entries()) splits.set(name, i < held ? "heldout" : "training");
  return splits;
}

/**
 * Draws N prefixes for each misbehavior. Deterministic for the same candidates and seed; never one step twice; as many in
 * all as can be had: when a step that two misbehaviors share is wanted by both, the one that has others takes another
 * (augmenting paths of a bipartite matching with capacities). Recipe 13: decisions 6 and 7.
 */
export function selectPrefixes(
  candidates: readonly Candidate[],
  wanted: readonly number[],
  params: SelectParams,
): Selection {
  const order = [...candidates]
    .map((c) => ({ ...c, place: rank(params.seed, c.key) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  const byType = new Map(wanted.map((type) => [type, order.filter((c) => c.types.includes(type))]));
  const owner = new Map<number, number>();
  /** Finds a step for `type`, moving shared ones to other steps where that frees one. */
  const take = (type: number, seen: Set<number>): boolean => {
    seen.add(type);
    const own = byType.get(type) ?? [];
    const free = own.find((c) => !owner.has(c.stepId));
    if (free) {
      owner.set(free.stepId, type);
      return true;
    }
    for (const c of own) {
      const other = owner.get(c.stepId);
      if (other === undefined || seen.has(other)) continue;
      if (take(other, seen)) {
        owner.set(c.stepId, type);
        return true;
      }
    }
    return false;
  };
  const scarceFirst = [...wanted].sort((a, b) => (byType.get(a)?.length ?? 0) - (byType.get(b)?.length ?? 0) || a - b);
  const got = new Map(wanted.map((type) => [type, 0]));
  for (const type of scarceFirst) {
    while ((got.get(type) ?? 0) < params.per && take(type, new Set())) got.set(type, (got.get(type) ?? 0) + 1);
  }
  const splits = splitsOf(candidates, params);
  const byKey = [...candidates].sort((a, b) => (a.key < b.key ? -1 : 1));
  const drawn = byKey.flatMap(({ stepId, environment }): Drawn[] => {
    const errorTypeId = owner.get(stepId);
    if (errorTypeId === undefined) return [];
    const split = environment === null ? null : (splits.get(environment) ?? null);
    return [{ stepId, errorTypeId, split }];
  });
  const types = wanted.map((errorTypeId) => ({
    errorTypeId,
    asked: params.per,
    available: byType.get(errorTypeId)?.length ?? 0,
    drawn: got.get(errorTypeId) ?? 0,
  }));
  return { drawn, types };
}
