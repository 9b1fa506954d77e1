import "server-only";
import type { Db } from "@/db/client";
import { type JudgedByPeople, judgedByPeople } from "@/db/queries/peopleLabels";
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

/** Precision and recall of every judge of a measurement against people, by misbehavior; clusters are prefixes. */
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
    return {
      ...qualityAgainstPeople(clusters, `${errorTypeId} ${judge} ${source}`),
      ...{ errorTypeId, judge, source },
      random: rows.reduce((sum, r) => sum + r.random, 0),
    };
  });
