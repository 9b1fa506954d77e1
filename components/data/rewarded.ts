/** Words of the reward filter on rollouts of a training; the same as db/queries/trajectory-filters. */
export const REWARDED = ["paid", "unpaid", "lucky"] as const;
