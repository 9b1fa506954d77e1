import "server-only";
import type { Db } from "@/db/client";
import { type PhaseRow, phaseRows, wallRows } from "@/db/queries/costPhases";
import { keptPrefixes, type LedgerRow, ledgerRows, type TrainingCost, trainingCosts } from "@/db/queries/costs";
import { trainSettings } from "@/lib/train/settings";
import { rolloutsOf, uncachedShare } from "./estimate";
import { type MeasuredReduction, measuredReductions, shownBy } from "./reductions";

/** Money by currency, in billionths: sums are exact, currencies are never added up. */
export type Money = Record<string, number>;

/** Kinds of jobs before a training: they make the prefixes. */
const BEFORE = ["profile", "localize", "taxonomy", "relabel", "rerun"];

export interface TrainingReport extends Omit<TrainingCost, "settings" | "costs"> {
  costs: Money;
  /** Share of groups without spread. */
  deadShare: number;
  /** The formula on its settings and its own dead share, with the rollouts of the profiles; null: settings of an older version. */
  estimatedRollouts: number | null;
  /** Measured rollouts with those of the profiles: what the formula estimates. */
  allRollouts: number;
  /** The paper's 2/T at its own steps a rollout; null: not known. */
  uncachedEstimate: number | null;
  /** What each phase ran; a phase that ran nothing is not in it. */
  phases: Omit<PhaseRow, "trainingId">[];
  /** Wall time of its steps by what it was spent on, milliseconds. */
  wall: { rollouts: number | null; learn: number | null };
  /** Of its checkpoints in their newest measurement, by judge. */
  reductions: MeasuredReduction[];
}

/** `amount` a percentage point by which the mean misbehavior rate fell; null where it is not shown to have fallen. */
export const perPoint = (amount: number, reduction: Pick<MeasuredReduction, "points" | "interval">): number | null =>
  shownBy(reduction) === "fell" && reduction.points > 0 ? amount / reduction.points : null;

export interface CostReport {
  ledger: (LedgerRow & {
    phase: "before" | "training" | "measuring" | "other" /** Of the input; null: nothing is stated. */;
    uncached: number | null;
  })[];
  trainings: TrainingReport[];
  kept: number;
  rerun: number;
  /** Cost of everything before training a kept prefix; null: no kept prefix. Calls without a cost are counted in `unpricedBefore`. */
  perKeptPrefix: Money | null;
  unpricedBefore: number;
}

const phaseOf = (kind: string | null) =>
  kind === null
    ? "other"
    : BEFORE.includes(kind)
      ? "before"
      : kind === "train"
        ? "training"
        : kind === "measure"
          ? "measuring"
          : "other";

type Extra = Pick<TrainingReport, "phases" | "wall" | "reductions">;

function trainingReport({ settings, costs, ...row }: TrainingCost, extra: Extra): TrainingReport {
  const parsed = trainSettings.safeParse(JSON.parse(settings));
  const deadShare = row.groups === 0 ? 0 : row.dead / row.groups;
  const { batch, group } = parsed.data ?? {};
  return {
    ...row,
    ...extra,
    costs: JSON.parse(costs) as Money,
    deadShare,
    allRollouts: row.rollouts + row.profiled,
    estimatedRollouts:
      batch === undefined || group === undefined || deadShare === 1
        ? null
        : rolloutsOf({ steps: row.steps, batch, group, dead: deadShare, preprocessing: row.profiled }),
    uncachedEstimate: row.rolloutSteps === null || row.rolloutSteps === 0 ? null : uncachedShare(row.rolloutSteps),
  };
}

/** What everything used, measured, beside what the paper's formulas say of it. */
export function costReport(db: Db): CostReport {
  const ledger = ledgerRows(db).map((row) => ({
    ...row,
    phase: phaseOf(row.kind) as CostReport["ledger"][number]["phase"],
    uncached: row.input === 0 ? null : 1 - row.cached / row.input,
  }));
  const phases = phaseRows(db);
  const walls = new Map(wallRows(db).map(({ trainingId, ...wall }) => [trainingId, wall]));
  const reductions = measuredReductions(db);
  const { kept, all } = keptPrefixes(db);
  const before = ledger.filter((row) => row.phase === "before");
  const money: Money = {};
  for (const { currency, costNano } of before)
    if (currency !== null && costNano !== null) money[currency] = (money[currency] ?? 0) + costNano;
  return {
    ledger,
    trainings: trainingCosts(db).map((row) =>
      trainingReport(row, {
        phases: phases.filter((p) => p.trainingId === row.id).map(({ trainingId: _, ...phase }) => phase),
        wall: walls.get(row.id) ?? { rollouts: null, learn: null },
        reductions: reductions.get(row.id) ?? [],
      }),
    ),
    kept,
    rerun: all,
    perKeptPrefix: kept === 0 ? null : Object.fromEntries(Object.entries(money).map(([c, nano]) => [c, nano / kept])),
    unpricedBefore: before.reduce((sum, row) => sum + row.unpriced, 0),
  };
}
