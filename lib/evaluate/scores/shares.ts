import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { shareRows } from "@/db/queries/taskScores";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Rate, rateOf } from "@/lib/evaluate/stats/rate";
import { MISBEHAVIOR_SLUGS } from "@/lib/profile/misbehaviors";

/** Of one policy and misbehavior: its share of the policy's error steps, and of trajectories that show it, tasks as clusters. */
export interface MisbehaviorShare {
  checkpointId: number;
  checkpoint: string;
  slug: string;
  ofErrorSteps: Rate;
  ofTrajectories: Rate;
}

/** Shares of the eight misbehaviors by policy in the imported trajectories of a data set; as the localizer flagged them. */
export function misbehaviorShares(db: Db, dataset: string): MisbehaviorShare[] {
  const policies = groupBy(shareRows(db, dataset, SPAN), (row) => row.checkpointId);
  return [...policies].flatMap(([checkpointId, rows]) => {
    const types = rows.map((row) => JSON.parse(row.types) as Record<string, [number, number]>);
    const checkpoint = rows[0]?.checkpoint ?? "";
    return MISBEHAVIOR_SLUGS.map((slug): MisbehaviorShare => {
      const key = `shares\0${checkpoint}\0${slug}`;
      const clusters = (at: 0 | 1, denominator: "errorSteps" | "trajectories") =>
        rows.map((row, i) => ({ numerator: types[i]?.[slug]?.[at] ?? 0, denominator: row[denominator] }));
      return {
        ...{ checkpointId, checkpoint, slug },
        ofErrorSteps: rateOf(clusters(0, "errorSteps"), { key }),
        ofTrajectories: rateOf(clusters(1, "trajectories"), { key }),
      };
    });
  });
}
