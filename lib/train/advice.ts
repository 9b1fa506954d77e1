/** What the groups of one prefix came to, over the trainings that drew it. */
export interface PrefixRecord {
  groups: number;
  allFail: number;
  allPass: number;
  vetoed: number;
  infrastructure: number;
}

/** too-few: no statement yet | useful: at least some groups have spread | the others: most groups are dead for one cause. */
export const ADVICE = ["too-few", "useful", "too-hard", "too-easy", "always-vetoed", "unreachable"] as const;
export type Advice = (typeof ADVICE)[number];

/** Groups below which nothing is said. */
export const LEAST_GROUPS = 3;
/** Share of groups that have to be dead for one cause. */
const MOST = 0.75;

/** Whether a prefix is worth starting from: a suggestion, nothing is retired by it. */
export function adviceOn({ groups, allFail, allPass, vetoed, infrastructure }: PrefixRecord): Advice {
  if (groups < LEAST_GROUPS) return "too-few";
  const most = (n: number) => n >= MOST * groups;
  if (most(infrastructure)) return "unreachable";
  if (most(vetoed)) return "always-vetoed";
  if (most(allPass)) return "too-easy";
  // A veto is a failure under this reward as well.
  if (most(allFail + vetoed)) return "too-hard";
  return "useful";
}
