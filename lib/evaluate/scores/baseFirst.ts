/** A checkpoint with what it was trained from; null: nothing that is known here. */
export interface Descent {
  id: number;
  parentId: number | null;
}

/**
 * Policies with the one in front that the others are compared with: of those in the set the one that most others descend
 * from, else, where others were trained from something, the first that was not. The rest keep their order.
 */
export function baseFirst<T extends { checkpointId: number }>(
  policies: readonly T[],
  descents: readonly Descent[],
): T[] {
  const parents = new Map(descents.map(({ id, parentId }) => [id, parentId]));
  const isFrom = (id: number, ancestor: number): boolean => {
    const seen = new Set<number>();
    for (let at = parents.get(id) ?? null; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
      if (at === ancestor) return true;
      seen.add(at);
    }
    return false;
  };
  const heirs = policies.map((p) => policies.filter((o) => isFrom(o.checkpointId, p.checkpointId)).length);
  const most = Math.max(0, ...heirs);
  const trained = (p: T) => (parents.get(p.checkpointId) ?? null) !== null;
  const base =
    most > 0 ? policies[heirs.indexOf(most)] : policies.some(trained) ? policies.find((p) => !trained(p)) : undefined;
  return base ? [base, ...policies.filter((p) => p !== base)] : [...policies];
}
