import type { Cause, PrefixStatus, RerunVerdict } from "./types";

/** What a stored rerun says, newest first in lists. */
export interface RerunFacts {
  verdict: RerunVerdict;
  cause: Cause | null;
  normalisedKept: boolean | null;
  exitCodeKept: boolean | null;
  /** Root file system and driver it ran on; null when it never started. */
  ground: string | null;
  jobId: number | null;
}

/** The columns of `prefix` that sum up its reruns. */
export interface PrefixSummary {
  status: PrefixStatus;
  cause: Cause | null;
  normalisedKept: boolean | null;
  exitCodeKept: boolean | null;
  reruns: number;
  exact: number;
}

/**
 * State of a prefix. Current are the reruns on the ground (driver and image) of the newest one that made a statement:
 * what ran in another environment says nothing about this one. `repeats`: how many the newest job was asked for.
 * Kept only when at least that many ran, all are exact and none of the newest job is void.
 */
export function summarise(newestFirst: readonly RerunFacts[], repeats: number): PrefixSummary {
  const stated = newestFirst.find((r) => r.verdict !== "void");
  const current = stated ? newestFirst.filter((r) => r.verdict !== "void" && r.ground === stated.ground) : [];
  const exact = current.filter((r) => r.verdict === "exact").length;
  const different = current.find((r) => r.verdict === "different");
  const newestJob = newestFirst.filter((r) => r.jobId === newestFirst[0]?.jobId);
  const isVoid = newestJob.some((r) => r.verdict === "void");
  const rule = (of: (r: RerunFacts) => boolean | null): boolean | null => {
    const values = current.map(of);
    if (values.includes(false)) return false;
    return values.includes(true) ? true : null;
  };
  let status: PrefixStatus = "pending";
  if (exact > 0 && different) status = "flaky";
  else if (different) status = "different";
  else if (isVoid) status = "void";
  else if (exact > 0 && exact >= repeats) status = "kept";
  return {
    status,
    cause: different?.cause ?? null,
    normalisedKept: rule((r) => r.normalisedKept),
    exitCodeKept: rule((r) => r.exitCodeKept),
    reruns: current.length,
    exact,
  };
}
