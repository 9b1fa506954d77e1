import type { Phase } from "./state";

/** What each phase does, for people. */
export const PHASE_NAMES: Record<Phase, string> = {
  profile: "Profile of the base policy",
  heldout: "Profile of the held-out part",
  taxonomy: "Taxonomy",
  prefixes: "Misbehavior prefixes",
  rerun: "Rerun check",
  judge: "Second judge",
  train: "Trainings",
  select: "Checkpoint selection",
  scores: "Held-out scores",
  rates: "Misbehavior rates",
};
