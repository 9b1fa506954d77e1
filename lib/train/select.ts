/** A step of a training as selection sees it. */
export interface SelectableStep {
  step: number;
  /** Mean training reward of the step; null: none of its rollouts has one. */
  reward: number | null;
  /** The checkpoint kept after it; null: none was. */
  checkpointId: number | null;
}

export interface SelectionCandidate {
  step: number;
  checkpointId: number;
  /** Mean of the step rewards over the trailing window. */
  average: number;
}

/** Steps of the moving average, and checkpoints that are compared (paper 4.1, recipe 10; the window is not stated there). */
export const SELECTION = { window: 10, candidates: 5 } as const;

/**
 * The kept checkpoints with the highest trailing moving average of the training reward, best first; ties go to the earlier
 * step. Steps without a reward are left out of the mean. What they are compared on afterwards is a selection set: its
 * score of the chosen one is optimistic.
 */
export function selectionCandidates(
  steps: readonly SelectableStep[],
  { window, candidates }: { window: number; candidates: number } = SELECTION,
): SelectionCandidate[] {
  const averaged = steps.flatMap(({ step, checkpointId }, i): SelectionCandidate[] => {
    if (checkpointId === null) return [];
    const known = steps
      .slice(Math.max(0, i + 1 - window), i + 1)
      .flatMap(({ reward }) => (reward === null ? [] : [reward]));
    if (known.length === 0) return [];
    return [{ step, checkpointId, average: known.reduce((sum, r) => sum + r, 0) / known.length }];
  });
  return averaged.sort((a, b) => b.average - a.average || a.step - b.step).slice(0, candidates);
}
