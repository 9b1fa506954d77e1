import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { shareRows } from "@/db/queries/taskScores";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Rate, rateOf } from "@/lib/evaluate/stats/rate";
import { MISBEHAVIOR_SLUGS } from "@/lib/profile/misbehaviors";
import type { ScoreReport } from "./report";

/** Of one policy and misbehavior: its share of the policy's error steps, and of trajectories that show it, tasks as clusters. */
export interface MisbehaviorShare {
  checkpointId: number;
  checkpoint: string;
  slug: string;
  ofErrorSteps: Rate;
  ofTrajectories: Rate;
}

/**
 * Shares of the eight misbehaviors by policy in the imported trajectories of a report's set; as the localizer flagged them.
 * One at a time: where tasks are many, each takes a while, and a page lets others in between. null: the set has none.
 */
export function misbehaviorShares(db: Db, { set, policies }: ScoreReport): Iterable<MisbehaviorShare> | null {
  if (set.source !== "trajectories") return null;
  const asked = new Set(policies.map((p) => p.checkpointId));
  return sharesOf(shareRows(db, set.dataset, SPAN).filter((row) => asked.has(row.checkpointId)));
}

function* sharesOf(all: ReturnType<typeof shareRows>): Iterable<MisbehaviorShare> {
  for (const [checkpointId, rows] of groupBy(all, (row) => row.checkpointId)) {
    const types = rows.map((row) => JSON.parse(row.types) as Record<string, [number, number]>);
    const checkpoint = rows[0]?.checkpoint ?? "";
    for (const slug of MISBEHAVIOR_SLUGS) {
      const key = `shares\0${checkpoint}\0${slug}`;
      const clusters = (at: 0 | 1, denominator: "errorSteps" | "trajectories") =>
        rows.map((row, i) => ({ numerator: types[i]?.[slug]?.[at] ?? 0, denominator: row[denominator] }));
      yield {
        ...{ checkpointId, checkpoint, slug },
        ofErrorSteps: rateOf(clusters(0, "errorSteps"), { key }),
        ofTrajectories: rateOf(clusters(1, "trajectories"), { key }),
      };
    }
  }
}
