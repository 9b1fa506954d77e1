/** What one batch saw: types by any key that stays the same over batches, and steps in no type. */
export interface Sighting {
  phase: "propose" | "refine";
  number: number;
  steps: number;
  /** Key of a type -> error steps of the batch in it. */
  types: ReadonlyMap<string, number>;
  oneOff: number;
  /** Steps of no earlier type: unassigned ones, and while refining those of new types. */
  newPattern: number;
  /** Of `newPattern`, steps in types that the batch itself proposed. */
  newInTypes: number;
  unclear: number;
}

/** The discovery curve after a batch. */
export interface DiscoveryPoint {
  phase: "propose" | "refine";
  number: number;
  /** Error steps seen so far. */
  steps: number;
  /** Types seen so far. */
  types: number;
  /** Steps of the batch that fit no type known before it; null: the batch was empty. */
  newShare: number | null;
  /** Good–Turing so far. */
  unseen: GoodTuring;
}

export interface GoodTuring {
  /** Kinds of error that were seen exactly once. */
  singletons: number;
  /** Observations: error steps in a type, counted once a type, and those that are a kind of their own. */
  observations: number;
  /** Chance that the next observation is of a kind not seen yet: singletons / observations; null without any. */
  mass: number | null;
}

/**
 * Good–Turing estimate of unseen mass (Good 1953): the share of observations that are of a kind seen once. An error step
 * that is a one-off or a new pattern is a kind of its own, seen once; an unclear one is no observation.
 */
export function goodTuring(counts: Iterable<number>, alone = 0): GoodTuring {
  let singletons = alone;
  let observations = alone;
  for (const n of counts) {
    observations += n;
    if (n === 1) singletons++;
  }
  return { singletons, observations, mass: observations === 0 ? null : singletons / observations };
}

/** The curve over batches in the order they were asked about. */
export function discoveryCurve(sightings: readonly Sighting[]): DiscoveryPoint[] {
  const counts = new Map<string, number>();
  let steps = 0;
  let alone = 0;
  return sightings.map((s) => {
    for (const [type, n] of s.types) if (n > 0) counts.set(type, (counts.get(type) ?? 0) + n);
    steps += s.steps;
    alone += s.oneOff + s.newPattern - s.newInTypes;
    return {
      phase: s.phase,
      number: s.number,
      steps,
      types: counts.size,
      newShare: s.steps === 0 ? null : s.newPattern / s.steps,
      unseen: goodTuring(counts.values(), alone),
    };
  });
}

/** Refining can end: each of the last `calm` batches had a share of new patterns below the threshold. Failed batches say nothing. */
export const isCalm = (shares: readonly (number | null)[], threshold: number, calm: number): boolean => {
  const known = shares.filter((s) => s !== null);
  return known.length >= calm && known.slice(-calm).every((s) => s < threshold);
};
