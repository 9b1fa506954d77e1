import "server-only";
import type { Db } from "@/db/client";
import { labelledCounts } from "@/db/queries/behaviorRates";
import { type LabelsNeeded, labelsNeeded } from "@/lib/evaluate/stats/labelsNeeded";
import type { BehaviorSummary } from "./summary";

/** For each checkpoint but the first, misbehavior and judge: how many more labels tell its corrected rate from the first's. */
export function neededLabels(
  db: Db,
  s: BehaviorSummary,
): { checkpointId: number; errorTypeId: number; judge: string; needed: LabelsNeeded }[] {
  const counts = labelledCounts(db, s.id);
  const of = (checkpointId: number, errorTypeId: number, judge: string) =>
    counts.filter((c) => c.checkpointId === checkpointId && c.errorTypeId === errorTypeId && c.judge === judge);
  const [base, ...others] = s.checkpoints;
  if (!base) return [];
  return others.flatMap(({ id: checkpointId }) =>
    s.plan.misbehaviors.flatMap(({ errorTypeId }) =>
      s.judges.map((judge) => ({
        ...{ checkpointId, errorTypeId, judge },
        needed: labelsNeeded(of(base.id, errorTypeId, judge), of(checkpointId, errorTypeId, judge)),
      })),
    ),
  );
}
