import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { loadSteps } from "@/lib/trajectory/load";

/** What is said about the entries of a trajectory, by index in it. Labels of taxonomies made later are none of the profile's. */
const SAID = [
  `select step_id % ${SPAN}, verdict, reason, command_seen, evidence from localization
     where step_id between @from and @to and current = 1 order by 1, 3`,
  `select l.step_id % ${SPAN}, t.slug, l.value, l.source from label l join error_type t on t.id = l.error_type_id
       join taxonomy x on x.id = t.taxonomy_id and x.origin in ('builtin', 'dataset')
     where l.step_id between @from and @to and l.current = 1 order by 1, 2`,
  `select step_id % ${SPAN}, source, source_name, thinking, command, attempt, accepted, details from correction
     where step_id between @from and @to order by 1, attempt`,
  `select s.step_id % ${SPAN}, t.slug from trial_step s left join error_type t on t.id = s.error_type_id
     where s.step_id between @from and @to order by 1`,
];

/**
 * SHA-256 (hex) over what a profile holds: texts of all entries, verdicts, labels, corrections, truths, outcomes and
 * counts of each rollout. Not over ids, times, durations, the order in which rollouts ended, or why one is void.
 */
export function profileDigest(db: Db, profileId: number): string {
  const rollouts = db.$client
    .prepare<[number], (string | number | null)[]>(
      `select r.trajectory_id, v.name, r.number, r.status, r.ended, r.outcome_reward, r.steps, r.error_steps, r.format_errors,
         r.corrections, r.tokens
       from profile_rollout r join environment v on v.id = r.environment_id where r.profile_id = ? order by v.name, r.number`,
    )
    .raw()
    .all(profileId) as (string | number | null)[][];
  const said = SAID.map((sql) => db.$client.prepare(sql).raw());
  const hash = createHash("sha256");
  for (const [trajectoryId, ...row] of rollouts) {
    hash.update(`${JSON.stringify(row)}\n`);
    if (typeof trajectoryId !== "number") continue;
    hash.update(`${stepsFingerprint(loadSteps(db, trajectoryId))}\n`);
    const range = { from: trajectoryId * SPAN, to: trajectoryId * SPAN + SPAN - 1 };
    for (const statement of said) hash.update(`${JSON.stringify(statement.all(range))}\n`);
  }
  return hash.digest("hex");
}
