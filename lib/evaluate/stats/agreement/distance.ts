/** How far two categories are apart: 0 the same, 1 nothing in common. */
export type Distance = (a: string, b: string) => number;

export const nominal: Distance = (a, b) => (a === b ? 0 : 1);

/** A set as a category: its members sorted, so that equal sets are the same text. */
export const setKey = (members: readonly number[]): string => [...new Set(members)].sort((a, b) => a - b).join(",");

const membersOf = (key: string): Set<string> => new Set(key === "" ? [] : key.split(","));

/**
 * 1 - MASI of two sets (Passonneau 2006): MASI is Jaccard's share of common members times 1 for equal sets, 2/3 where one
 * holds the other, 1/3 where they only overlap, 0 where they have nothing in common. Two empty sets are equal.
 */
export function masiDistance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 0;
  const common = [...a].filter((member) => b.has(member)).length;
  const union = a.size + b.size - common;
  const monotonicity = common === 0 ? 0 : common === union ? 1 : common === Math.min(a.size, b.size) ? 2 / 3 : 1 / 3;
  return 1 - (common / union) * monotonicity;
}

/** MASI between categories made by `setKey`. */
export const masi: Distance = (a, b) => (a === b ? 0 : masiDistance(membersOf(a), membersOf(b)));
