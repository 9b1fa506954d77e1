import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { LearnedJudgeFile } from "@/lib/reward/behaviorJudge/learnedFile";

/**
 * Windows of a measurement in environments that a learned judge was taught in: there its verdicts are no fresh ones, and its
 * cross-validated quality says nothing of them. `seen` is null for judges that do not say what they were taught in.
 */
export function judgeOverlap(
  db: Db,
  evaluationId: number,
  { trainedOn }: Pick<LearnedJudgeFile, "trainedOn">,
): { windows: number; seen: number | null } {
  const rows = statement(
    db,
    `select e.name, count(*) as n from behavior_sample s join prefix p on p.id = s.prefix_id join environment e on e.id = p.environment_id
     where s.evaluation_id = ? and s.void_reason is null group by e.name`,
  ).all(evaluationId) as { name: string; n: number }[];
  const taught = trainedOn.environments && new Set(trainedOn.environments);
  return {
    windows: rows.reduce((sum, r) => sum + r.n, 0),
    seen: taught ? rows.filter((r) => taught.has(r.name)).reduce((sum, r) => sum + r.n, 0) : null,
  };
}
