import "server-only";
import type { Db } from "@/db/client";
import {
  type JudgePair,
  judgedSamples,
  judgePairs,
  labelledCounts,
  type VerdictCount,
  verdictCounts,
  voidCounts,
} from "@/db/queries/behaviorRates";
import { statement } from "@/db/statement";
import { agreementOf, kappaOf, type Table2 } from "@/lib/evaluate/agreement";
import { groupBy } from "@/lib/evaluate/groupBy";
import type { IntervalMethod } from "@/lib/evaluate/stats/bootstrap";
import { predictionPowered, qualityOf, roganGladen } from "@/lib/evaluate/stats/corrected";
import { holm } from "@/lib/evaluate/stats/permutation";
import { type Difference, differenceOf, type Rate, rateOf } from "@/lib/evaluate/stats/rate";
import { type Claim, contestedOf, risenOf, type SameAsFirst, sameAsFirst, untoldOf } from "./claims";
import { type EndSummary, endSummaries } from "./ends";
import { type BehaviorPlan, behaviorPlan } from "./plan";
import { type BehaviorProtocol, behaviorProtocol } from "./settings";

/** Rate of one misbehavior under one policy and judge; cluster: the prefix. */
export interface BehaviorCell {
  checkpointId: number;
  errorTypeId: number;
  judge: string;
  rate: Rate;
  failed: number;
  unparsed: number;
  /** Samples of policy and misbehavior without any statement. */
  void: number;
  /** Verdicts on prefixes of environments the policy was trained in. */
  leaked: number;
  /** null: no window of it was labelled by people. */
  corrected: {
    quality: ReturnType<typeof qualityOf>;
    roganGladen: ReturnType<typeof roganGladen>;
    predictionPowered: ReturnType<typeof predictionPowered>;
  } | null;
}

/** A policy against the first one, by misbehavior and judge. */
export interface BehaviorDifference {
  checkpointId: number;
  errorTypeId: number;
  judge: string;
  difference: Difference;
  /** Holm-adjusted over the misbehaviors of this policy and judge. */
  adjusted: number | null;
}

/** How much rarer misbehaviors became than under the first policy, in [-inf, 1]; null where the first has none. */
export interface BehaviorReduction {
  checkpointId: number;
  judge: string;
  /** 1 - mean rate / mean rate of the first: the paper's 43% and 57%. */
  ofMeans: number | null;
  /** Mean over misbehaviors of 1 - rate / rate of the first, over those the first has. */
  meanOf: number | null;
  misbehaviors: number;
}

export interface JudgeAgreement {
  checkpointId: number;
  errorTypeId: number;
  first: string;
  second: string;
  table: Table2;
  agreement: number | null;
  kappa: number | null;
}

export interface BehaviorSummary {
  id: number;
  name: string;
  jobId: number | null;
  /** How its intervals are drawn. */
  method: IntervalMethod;
  protocol: BehaviorProtocol;
  plan: BehaviorPlan;
  /** In the order of the protocol; the first is what others are compared with. */
  checkpoints: { id: number; name: string }[];
  judges: string[];
  cells: BehaviorCell[];
  differences: BehaviorDifference[];
  reductions: BehaviorReduction[];
  agreements: JudgeAgreement[];
  /** How often each passes the task from the prefixes on; null: the measurement ended its samples after the judged steps. */
  ends: EndSummary[] | null;
  /** Improvements (interval below 0) that some judges show and others do not. */
  contested: Claim[];
  /** Misbehaviors that rose (interval above 0) under every judge or some; those under every judge first. */
  risen: Claim[];
  /** Checkpoints that were judged exactly as the first: nothing can be told of them. */
  same: SameAsFirst[];
  /** Other checkpoints of which no difference from the first is told apart under any judge. */
  untold: number[];
}

const clusterOf = (c: VerdictCount) => ({ numerator: c.yes, denominator: c.yes + c.no });
const add = (rows: readonly VerdictCount[], key: "failed" | "unparsed" | "leaked") =>
  rows.reduce((sum, row) => sum + row[key], 0);

function agreementsOf(pairs: readonly JudgePair[]): JudgeAgreement[] {
  const groups = groupBy(pairs, (p) => JSON.stringify([p.checkpointId, p.errorTypeId, p.first, p.second]));
  return [...groups.values()].map((rows) => {
    const { checkpointId, errorTypeId, first, second } = rows[0] as JudgePair;
    const table: Table2 = { bothBad: 0, firstBad: 0, secondBad: 0, bothGood: 0 };
    for (const row of rows) {
      table.bothBad += row.bothYes;
      table.firstBad += row.firstYes;
      table.secondBad += row.secondYes;
      table.bothGood += row.bothNo;
    }
    return { checkpointId, errorTypeId, first, second, table, agreement: agreementOf(table), kappa: kappaOf(table) };
  });
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length;

/** Everything that a measurement says, from its stored samples. null: there is no such measurement. */
export function behaviorSummary(
  db: Db,
  evaluationId: number,
  method: IntervalMethod = "studentized",
): BehaviorSummary | null {
  const row = statement(
    db,
    "select id, name, job_id as jobId, protocol from evaluation where id = ? and kind = 'misbehavior-rate'",
  ).get(evaluationId) as { id: number; name: string; jobId: number | null; protocol: string } | undefined;
  if (!row) return null;
  const stored = JSON.parse(row.protocol) as { plan: unknown; checkpoints: number[] };
  const protocol = behaviorProtocol.parse(stored);
  const plan = behaviorPlan.parse(stored.plan);
  const named = statement(db, "select id, name from checkpoint where id = ?");
  const checkpoints = stored.checkpoints.map((id) => named.get(id) as { id: number; name: string });
  const counts = verdictCounts(db, evaluationId);
  const voids = voidCounts(db, evaluationId);
  const labelled = labelledCounts(db, evaluationId);
  const judges = [...new Set(counts.map((c) => c.judge))];
  const of = (checkpointId: number, errorTypeId: number, judge: string) =>
    counts.filter((c) => c.checkpointId === checkpointId && c.errorTypeId === errorTypeId && c.judge === judge);
  const cells: BehaviorCell[] = [];
  const differences: BehaviorDifference[] = [];
  for (const { id: checkpointId } of checkpoints)
    for (const judge of judges) {
      const own: BehaviorDifference[] = [];
      for (const { errorTypeId, slug } of plan.misbehaviors) {
        const rows = of(checkpointId, errorTypeId, judge);
        const key = `${protocol.seed} ${slug} ${judge} ${checkpoints.findIndex((c) => c.id === checkpointId)}`;
        const people = labelled.filter(
          (l) => l.checkpointId === checkpointId && l.errorTypeId === errorTypeId && l.judge === judge,
        );
        const quality = qualityOf(people);
        cells.push({
          checkpointId,
          errorTypeId,
          judge,
          rate: rateOf(rows.map(clusterOf), { key, method }),
          failed: add(rows, "failed"),
          unparsed: add(rows, "unparsed"),
          leaked: add(rows, "leaked"),
          void: voids.find((v) => v.checkpointId === checkpointId && v.errorTypeId === errorTypeId)?.void ?? 0,
          corrected:
            quality.labels === 0
              ? null
              : {
                  quality,
                  roganGladen: roganGladen(people, { key, method }),
                  predictionPowered: predictionPowered(people, { key, method }),
                },
        });
        if (checkpointId === checkpoints[0]?.id) continue;
        const before = new Map(of(checkpoints[0]?.id as number, errorTypeId, judge).map((c) => [c.prefixId, c]));
        const pairs = rows.flatMap((after) => {
          const base = before.get(after.prefixId);
          return base ? [{ before: clusterOf(base), after: clusterOf(after) }] : [];
        });
        own.push({
          checkpointId,
          errorTypeId,
          judge,
          difference: differenceOf(pairs, { key, method }),
          adjusted: null,
        });
      }
      const adjusted = holm(own.map((d) => d.difference.p));
      differences.push(...own.map((d, i) => ({ ...d, adjusted: adjusted[i] ?? null })));
    }
  const same = sameAsFirst(counts, checkpoints, judgedSamples(db, evaluationId));
  return {
    id: row.id,
    name: row.name,
    jobId: row.jobId,
    method,
    protocol,
    plan,
    checkpoints,
    judges,
    cells,
    differences,
    reductions: reductionsOf(cells, checkpoints, judges),
    agreements: agreementsOf(judgePairs(db, evaluationId)),
    ends: protocol.outcome
      ? endSummaries(db, evaluationId, { checkpoints, judges, seed: protocol.seed, method })
      : null,
    contested: contestedOf(differences),
    risen: risenOf(differences),
    same,
    untold: untoldOf(differences, same),
  };
}

function reductionsOf(
  cells: readonly BehaviorCell[],
  checkpoints: readonly { id: number }[],
  judges: readonly string[],
): BehaviorReduction[] {
  const base = checkpoints[0]?.id;
  return checkpoints.slice(1).flatMap(({ id: checkpointId }) =>
    judges.map((judge) => {
      const value = (checkpoint: number | undefined, type: number) =>
        cells.find((c) => c.checkpointId === checkpoint && c.errorTypeId === type && c.judge === judge)?.rate.value ??
        null;
      const pairs = cells
        .filter((c) => c.checkpointId === checkpointId && c.judge === judge)
        .flatMap((c) => {
          const before = value(base, c.errorTypeId);
          return before === null || c.rate.value === null ? [] : [{ before, after: c.rate.value }];
        });
      const before = mean(pairs.map((p) => p.before));
      const after = mean(pairs.map((p) => p.after));
      return {
        checkpointId,
        judge,
        ofMeans: before === null || after === null || before === 0 ? null : 1 - after / before,
        meanOf: mean(pairs.filter((p) => p.before > 0).map((p) => 1 - p.after / p.before)),
        misbehaviors: pairs.length,
      };
    }),
  );
}
