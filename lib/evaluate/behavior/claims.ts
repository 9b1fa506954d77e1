import type { VerdictCount } from "@/db/queries/behaviorRates";
import { groupBy } from "@/lib/evaluate/groupBy";
import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import type { BehaviorDifference } from "./summary";

/** What some judges show of a checkpoint and a misbehavior, and others do not. */
export interface Claim {
  checkpointId: number;
  errorTypeId: number;
  shown: string[];
  notShown: string[];
}

/** A checkpoint that every judge answered as it answered the first, prefix by prefix. */
export interface SameAsFirst {
  checkpointId: number;
  /** Its samples that are judged, and the prefixes they are of. */
  samples: number;
  prefixes: number;
}

function claims(differences: readonly BehaviorDifference[], shows: (interval: Interval) => boolean): Claim[] {
  const groups = groupBy(differences, (d) => `${d.checkpointId} ${d.errorTypeId}`);
  return [...groups.values()].flatMap((rows) => {
    const { checkpointId, errorTypeId } = rows[0] as BehaviorDifference;
    const isShown = ({ difference: { interval } }: BehaviorDifference) => interval !== null && shows(interval);
    const shown = rows.filter(isShown).map((d) => d.judge);
    const notShown = rows.filter((d) => !isShown(d)).map((d) => d.judge);
    return shown.length === 0 ? [] : [{ checkpointId, errorTypeId, shown, notShown }];
  });
}

/** Improvements (interval below 0) that only some of several judges show. */
export const contestedOf = (differences: readonly BehaviorDifference[]): Claim[] =>
  claims(differences, (interval) => interval.high < 0).filter((claim) => claim.notShown.length > 0);

/** Misbehaviors that became more frequent (interval above 0): first those that every judge shows. */
export function risenOf(differences: readonly BehaviorDifference[]): Claim[] {
  const risen = claims(differences, (interval) => interval.low > 0);
  return [...risen.filter((r) => r.notShown.length === 0), ...risen.filter((r) => r.notShown.length > 0)];
}

/** Checkpoints of which every judge said yes and no exactly as often as of the first, in every prefix. */
export function sameAsFirst(
  counts: readonly VerdictCount[],
  checkpoints: readonly { id: number }[],
  judged: ReadonlyMap<number, number>,
): SameAsFirst[] {
  const answers = (checkpointId: number | undefined) =>
    new Map(
      counts
        .filter((c) => c.checkpointId === checkpointId)
        .map((c) => [`${c.errorTypeId} ${c.prefixId} ${c.judge}`, `${c.yes} ${c.no} ${c.failed} ${c.unparsed}`]),
    );
  const first = answers(checkpoints[0]?.id);
  return checkpoints.slice(1).flatMap(({ id }) => {
    const own = answers(id);
    const isSame = own.size > 0 && own.size === first.size && [...own].every(([key, said]) => first.get(key) === said);
    if (!isSame) return [];
    const prefixes = new Set(counts.filter((c) => c.checkpointId === id).map((c) => c.prefixId)).size;
    return [{ checkpointId: id, samples: judged.get(id) ?? 0, prefixes }];
  });
}

/** Checkpoints of which no judge shows any difference from the first: every interval holds zero, or is not known. */
export const untoldOf = (differences: readonly BehaviorDifference[], same: readonly SameAsFirst[]): number[] => {
  const known = differences.filter((d) => d.difference.value !== null);
  const told = claims(known, (interval) => interval.low > 0 || interval.high < 0);
  return [...new Set(known.map((d) => d.checkpointId))].filter(
    (id) => !told.some((t) => t.checkpointId === id) && !same.some((s) => s.checkpointId === id),
  );
};
