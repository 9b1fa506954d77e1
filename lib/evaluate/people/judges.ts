import "server-only";
import type { Db } from "@/db/client";
import { type JudgedByPeople, judgedByPeople } from "@/db/queries/peopleLabels";
import { EMPTY_TABLE } from "@/lib/evaluate/agreement";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Quality, qualityAgainstPeople } from "./quality";

/** A judge of windows against people, on one misbehavior. */
export interface JudgeQuality extends Quality {
  errorTypeId: number;
  judge: string;
  source: JudgedByPeople["source"];
  /** Of the windows, those drawn at random: only these correct rates. */
  random: number;
}

/**
 * Precision and recall of every judge of a measurement against people, by misbehavior; clusters are prefixes. Recall is over
 * the windows drawn at random, and not known where there are none: those chosen because a judge called them so, or because
 * judges differ, say nothing of what it passes over.
 */
export const judgesAgainstPeople = (db: Db, evaluationId: number): JudgeQuality[] =>
  [
    ...groupBy(judgedByPeople(db, evaluationId), (r) => JSON.stringify([r.errorTypeId, r.judge, r.source])).values(),
  ].map((rows) => {
    const { errorTypeId, judge, source } = rows[0] as JudgedByPeople;
    const clusters = rows.map((r) => ({
      bothBad: r.bothYes,
      firstBad: r.peopleYes,
      secondBad: r.judgeYes,
      bothGood: r.bothNo,
    }));
    const random = rows.reduce((sum, r) => sum + r.random, 0);
    const drawn = rows.map((r) => ({ ...EMPTY_TABLE, bothBad: r.randomBothYes, firstBad: r.randomPeopleYes }));
    return {
      ...qualityAgainstPeople(clusters, `${errorTypeId} ${judge} ${source}`, random > 0 ? drawn : "windows"),
      ...{ errorTypeId, judge, source, random },
    };
  });
