import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { StudyState } from "@/lib/study/state";
import { buildReport } from "./report";
import type { StudyReport } from "./types";

const KEY = "study-report";
/** Goes up when the same rows give another report: stored ones are then made anew. */
const VERSION = 7;

/** What a report is made of: as long as it is the same, the report is. Rows are only ever added, so their last ids tell. */
function keyOf(db: Db, state: StudyState): string {
  const last = statement(
    db,
    `select (select max(id) from behavior_verdict) as verdicts, (select max(id) from score) as scores,
       (select max(id) from label) as labels, (select max(id) from error_type) as types, (select max(id) from rerun) as reruns,
       (select count(*) from training_step) as steps, (select count(*) from profile_rollout) as rollouts,
       (select count(*) from error_step where active = 1) as errorSteps`,
  ).get();
  return JSON.stringify([VERSION, last, state.made, state.design, state.times]);
}

let kept: { key: string; report: StudyReport } | null = null;

/** The report of a study, made once for the same rows: by this process, or by the run that ended the study. */
export function studyReport(db: Db, state: StudyState): StudyReport {
  const key = keyOf(db, state);
  if (kept?.key === key) return kept.report;
  const row = statement(db, "select value from setting where key = ?").get(KEY) as { value: string } | undefined;
  const stored = row ? (JSON.parse(row.value) as { key: string; report: StudyReport }) : null;
  kept = stored?.key === key ? stored : { key, report: buildReport(db, state) };
  return kept.report;
}

/** Makes the report and keeps it in the index, so that the page of a finished study opens at once. */
export function keepReport(db: Db, state: StudyState): StudyReport {
  const report = studyReport(db, state);
  statement(
    db,
    "insert into setting (key, value, updated_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at",
  ).run(KEY, JSON.stringify({ key: keyOf(db, state), report }), Date.now());
  return report;
}
