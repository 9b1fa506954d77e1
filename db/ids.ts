/** Steps a trajectory can hold; step and chunk ids are trajectory id * SPAN + index (stay below 2^53 for 8.5e9 trajectories). */
export const SPAN = 1_048_576;

/** Row id of entry `index` of a trajectory. */
export const stepId = (trajectoryId: number, index: number): number => trajectoryId * SPAN + index;

/** Trajectory a step id belongs to. */
export const trajectoryOf = (stepId: number): number => Math.floor(stepId / SPAN);

/** Index of a step id inside its trajectory. */
export const indexOf = (stepId: number): number => stepId % SPAN;
