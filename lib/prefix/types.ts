/** Verdict of one rerun. `void`: no statement (environment could not be built, driver failed, timed out); never mixed with the others. */
export const RERUN_VERDICTS = ["exact", "different", "void"] as const;
export type RerunVerdict = (typeof RERUN_VERDICTS)[number];

/** State of a prefix over all its current reruns. `flaky`: repeats disagree. */
export const PREFIX_STATUSES = ["pending", "kept", "different", "flaky", "void"] as const;
export type PrefixStatus = (typeof PREFIX_STATUSES)[number];

/** Why a rerun's output differs (recipe 9). */
export const CAUSES = [
  "time",
  "pid",
  "temp-name",
  "order",
  "duration",
  "address",
  "network",
  "missing-file",
  "randomness",
  "exit-code",
  "other",
] as const;
export type Cause = (typeof CAUSES)[number];

/** Rules a rerun is compared by. `exact` decides; the others only show what it costs. */
export const RULES = ["exact", "normalised", "exit-code"] as const;
export type Rule = (typeof RULES)[number];
