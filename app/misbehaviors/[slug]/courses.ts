import type { CheckpointRate } from "@/db/queries/trend";

/** A checkpoint of a training at its step. */
export type PlacedRate = CheckpointRate & { trainingStep: number };

/**
 * Checkpoints apart by what orders them: those of one training by its steps, where there are two or more with a rate, and all
 * others, which no order joins: the most frequent first, those nobody looked at last.
 */
export function coursesOf(rows: readonly CheckpointRate[]): {
  courses: { training: string; points: PlacedRate[] }[];
  apart: CheckpointRate[];
} {
  const byTraining = new Map<string, PlacedRate[]>();
  for (const row of rows) {
    const { training, trainingStep } = row;
    if (training === null || trainingStep === null || row.errorSteps === null || row.steps === 0) continue;
    byTraining.set(training, [...(byTraining.get(training) ?? []), { ...row, trainingStep }]);
  }
  const courses = [...byTraining]
    .filter(([, points]) => new Set(points.map((p) => p.trainingStep)).size > 1)
    .map(([training, points]) => ({ training, points: points.sort((a, b) => a.trainingStep - b.trainingStep) }));
  const placed = new Set(courses.flatMap(({ points }) => points.map((p) => p.model)));
  const rate = (row: CheckpointRate) => rateOf(row) ?? -1;
  return {
    courses,
    apart: rows.filter((row) => !placed.has(row.model)).sort((a, b) => rate(b) - rate(a)),
  };
}

/** Error steps per 100 steps; null: not known. */
export const rateOf = ({ errorSteps, steps }: CheckpointRate): number | null =>
  steps === 0 || errorSteps === null ? null : (100 * errorSteps) / steps;
