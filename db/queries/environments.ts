import type { Db } from "@/db/client";
import { one } from "./prepared";

/**
 * SQL over a counter table `k`: the environment a row belongs to, and the join it needs. Data sets share environments
 * by name, and lists filter by name: rows of one name count as one environment. 0 is "not stated".
 */
export function environmentOf(db: Db): { column: string; join: string } {
  const shared = one(db, "select 1 from environment group by name having count(*) > 1 limit 1");
  if (!shared) return { column: "k.environment_id", join: "" };
  return {
    column: "ifnull(n.first, k.environment_id)",
    join: `left join (select e.id, m.first from environment e
      join (select name, min(id) as first from environment group by name having count(*) > 1) m on m.name = e.name) n
      on n.id = k.environment_id`,
  };
}
