import "server-only";
import type { Db } from "@/db/client";
import { type EndCount, endCounts } from "@/db/queries/behaviorRates";
import type { IntervalMethod } from "@/lib/evaluate/stats/bootstrap";
import { type Difference, differenceOf, type Rate, rateOf } from "@/lib/evaluate/stats/rate";

/** How often a policy passes the task when it goes on from the prefixes; cluster: the prefix. */
export interface EndSummary {
  checkpointId: number;
  passed: Rate;
  /** Against the first policy, paired by prefix; null for the first one itself. */
  difference: Difference | null;
  /** Samples without an outcome: their environment has no tests. */
  unknown: number;
  /** Of the samples that a judge said yes to, and of those it said no to. What goes along with what: no cause is claimed. */
  byJudge: { judge: string; misbehaved: Rate; clean: Rate }[];
}

const clusterOf = (c: EndCount) => ({ numerator: c.passed, denominator: c.passed + c.failed });

/** One row a policy, in the order given; intervals are drawn from `seed`. */
export function endSummaries(
  db: Db,
  evaluationId: number,
  of: { checkpoints: readonly { id: number }[]; judges: readonly string[]; seed: number; method: IntervalMethod },
): EndSummary[] {
  const { checkpoints, judges, seed, method } = of;
  const counts = endCounts(db, evaluationId);
  const rows = (checkpointId: number | undefined, judge: string | null, answer: "yes" | "no" | null) =>
    counts.filter((c) => c.checkpointId === checkpointId && c.judge === judge && c.answer === answer);
  const first = new Map(rows(checkpoints[0]?.id, null, null).map((c) => [c.prefixId, c]));
  return checkpoints.map(({ id: checkpointId }, place): EndSummary => {
    const all = rows(checkpointId, null, null);
    const key = `${seed} passed ${place}`;
    const pairs = all.flatMap((after) => {
      const before = first.get(after.prefixId);
      return before ? [{ before: clusterOf(before), after: clusterOf(after) }] : [];
    });
    return {
      checkpointId,
      passed: rateOf(all.map(clusterOf), { key, method }),
      difference: place === 0 ? null : differenceOf(pairs, { key, method }),
      unknown: all.reduce((sum, c) => sum + c.unknown, 0),
      byJudge: judges.map((judge) => {
        const share = (answer: "yes" | "no") =>
          rateOf(rows(checkpointId, judge, answer).map(clusterOf), { key: `${key} ${judge} ${answer}`, method });
        return { judge, misbehaved: share("yes"), clean: share("no") };
      }),
    };
  });
}
