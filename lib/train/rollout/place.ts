import { createHash } from "node:crypto";

/** Which rollout of which group of which step. */
export interface RolloutPlace {
  step: number;
  /** Group of the step, over all its draws. */
  group: number;
  /** 1,2,… within the group. */
  number: number;
}

/** Seed of one rollout: depends on the training's seed and its place, and on nothing else. */
export const trainingSeed = (seed: number, { step, group, number }: RolloutPlace): number =>
  createHash("sha256").update(`training rollout\0${seed}\0${step}\0${group}\0${number}`).digest().readUIntBE(0, 6);
