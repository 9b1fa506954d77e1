import "server-only";
import type { Db } from "@/db/client";
import { all, type Value } from "@/db/queries/prepared";
import type { Looked } from "./settings";

const FROM =
  "from error_step e join trajectory t on t.id = e.trajectory_id where e.active = 1 and t.superseded_by is null";
/** Errors that were injected to try a localizer are nobody's habit. */
const OWN = "and e.step_id not in (select step_id from trial_step)";

/** Ids of the active error steps that a build looks at, in order. */
export function errorStepIds(db: Db, looked: Looked): number[] {
  const ids = (sql: string, ...values: Value[]) =>
    all<{ id: number }>(db, `select e.step_id as id ${FROM} ${OWN} ${sql} order by e.step_id`, ...values).map(
      (r) => r.id,
    );
  if ("all" in looked) return ids("");
  if ("study" in looked) return ids("and t.study_id = ?", looked.study);
  if ("profile" in looked)
    return ids(
      "and e.trajectory_id in (select trajectory_id from profile_rollout where profile_id = ?)",
      looked.profile,
    );
  return ids("and t.checkpoint_id in (select value from json_each(?))", JSON.stringify(looked.checkpoints));
}
