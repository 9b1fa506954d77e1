import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/**
 * Environments that a checkpoint, or one it descends from, was trained in. Everything its training could start from
 * counts, whether it came to that or not. `pretrain` and other origins that name no environments add none.
 */
export function trainedIn(db: Db, checkpointId: number): Set<number> {
  const rows = statement(
    db,
    `with recursive line(id, parent, run) as (
       select id, parent_id, training_run_id from checkpoint where id = ?
       union select c.id, c.parent_id, c.training_run_id from checkpoint c join line on c.id = line.parent
     ), started(run, kind, id) as (
       select r.id, json_extract(r.settings, '$.plan.kind'), j.value
       from line join training_run r on r.id = line.run, json_each(r.settings, '$.plan.ids') j
     )
     select p.environment_id as id from started s join prefix p on p.id = s.id where s.kind = 'prefix'
     union select s.id from started s where s.kind = 'task'
     union select g.environment_id from line join rollout_group g on g.training_run_id = line.run`,
  ).all(checkpointId) as { id: number | null }[];
  return new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
}
