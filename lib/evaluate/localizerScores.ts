import "server-only";
import type { Db } from "@/db/client";
import { type LabelledTrajectory, type LocalizerRow, labelledTrajectories } from "@/db/queries/localizers";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import { type Interval, wilson } from "./intervals";

/** A count of trajectories; the interval is Wilson's, one trajectory one trial. */
export interface Share {
  hits: number;
  of: number;
  interval: Interval | null;
}

/**
 * How well a localizer finds the step that people call decisive (Who&When protocol): its prediction is its first bad
 * step. Of every share but `sameType` the denominator is `judged`, trajectories without any flag included: they hit
 * nothing.
 */
export interface LocalizerScore {
  dataset: string;
  /** Trajectories with a label by people. */
  labelled: number;
  /** Of these, the ones with at least one verdict of this localizer. */
  judged: number;
  /** Of the judged ones, those in which some steps have no verdict. */
  incomplete: number;
  withoutFlag: number;
  exact: Share;
  withinOne: Share;
  withinThree: Share;
  /** Any of its flags is the decisive step: what it would find if all were looked at. */
  among: Share;
  /** The prediction has a type that is the same as people's, over judged trajectories whose category has a counterpart. */
  sameType: Share;
  /** Judged trajectories whose category has no counterpart, or that have none. */
  unmappable: number;
}

/**
 * Categories of people that say the same as one of the eight misbehaviors. AgentRx's others (plan adherence, misread output,
 * guardrails, unsupported intent, misalignment) have no counterpart; Who&When names no categories.
 */
export const SAME_TYPE: Record<string, Record<string, readonly MisbehaviorSlug[]>> = {
  agentrx: {
    "invention-of-new-information": ["guess-as-fact"],
    "invalid-invocation": ["no-runnable-command"],
  },
};

const share = (rows: readonly LabelledTrajectory[], hit: (row: LabelledTrajectory) => boolean): Share => {
  const hits = rows.filter(hit).length;
  return { hits, of: rows.length, interval: wilson(hits, rows.length) };
};

const within = (distance: number) => (row: LabelledTrajectory) => {
  const [first] = row.flagged;
  return first !== undefined && Math.abs(first - row.decisive) <= distance;
};

/** Scores from trajectories with labels. Distances count entries of the record, as the data sets' own labels do. */
export function scoreOf(dataset: string, rows: readonly LabelledTrajectory[]): LocalizerScore {
  const judged = rows.filter((row) => row.judged > 0);
  const counterpart = ({ category }: LabelledTrajectory) =>
    category === null ? undefined : SAME_TYPE[dataset]?.[category];
  const mappable = judged.filter((row) => counterpart(row) !== undefined);
  return {
    dataset,
    labelled: rows.length,
    judged: judged.length,
    incomplete: judged.filter((row) => row.judged < row.steps).length,
    withoutFlag: judged.filter((row) => row.flagged.length === 0).length,
    exact: share(judged, within(0)),
    withinOne: share(judged, within(1)),
    withinThree: share(judged, within(3)),
    among: share(judged, (row) => row.flagged.includes(row.decisive)),
    sameType: share(mappable, (row) => row.types.some((type) => counterpart(row)?.some((slug) => slug === type))),
    unmappable: judged.length - mappable.length,
  };
}

/** Scores of one localizer on a data set with labels by people. */
export const localizerScore = (db: Db, dataset: string, judge: LocalizerRow): LocalizerScore =>
  scoreOf(dataset, labelledTrajectories(db, dataset, judge));
