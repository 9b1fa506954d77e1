import "server-only";
import type { Db } from "@/db/client";
import { checkpointNames, type SelectionRun, selectionCells, selectionRuns } from "@/db/queries/selection";
import { trainingSteps } from "@/db/queries/trainings";
import { type Rate, rateOf } from "@/lib/evaluate/stats/rate";
import { stepMetrics } from "@/lib/train/run/metrics";
import { SELECTION, type SelectionCandidate, selectionCandidates } from "@/lib/train/select";

/** A candidate of a training with what it scored on the selection set; rate null: not run there. */
export interface Candidate extends SelectionCandidate {
  name: string;
  run: SelectionRun | null;
  rate: Rate | null;
  void: number;
}

/** The candidates of a training, highest moving average first. */
export function candidatesOf(db: Db, runId: number, window: number, environments: number): Candidate[] {
  const steps = trainingSteps(db, runId).map(({ step, metrics, checkpointId }) => ({
    step,
    checkpointId,
    reward: stepMetrics.parse(metrics).reward,
  }));
  const candidates = selectionCandidates(steps, { ...SELECTION, window });
  const ids = candidates.map((c) => c.checkpointId);
  const names = checkpointNames(db, ids);
  const runs = new Map(selectionRuns(db, ids, { environments }).map((r) => [r.checkpointId, r]));
  return candidates.map((c) => {
    const run = runs.get(c.checkpointId) ?? null;
    const cells = run ? selectionCells(db, run.profileId) : [];
    const name = names.get(c.checkpointId) ?? `checkpoint ${c.checkpointId}`;
    const clusters = cells.map((cell) => ({ numerator: cell.solved, denominator: cell.attempts }));
    return {
      ...c,
      name,
      run,
      rate: run ? rateOf(clusters, { key: `selection\0${name}` }) : null,
      void: cells.reduce((sum, cell) => sum + cell.void, 0),
    };
  });
}
