import "server-only";
import type { Db } from "@/db/client";
import { COVERAGE } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import type { MisbehaviorSlug } from "./misbehaviors";

/** A version that new findings of the rules are labelled under: the built-in one, and the newest of each name. */
const LIVE = `x.status = 'done' and x.origin <> 'dataset' and (x.origin = 'builtin'
  or x.version = (select max(m.version) from taxonomy m where m.name = x.name and m.status = 'done'))`;

/** Versions under which every error step counts, labelled or not. `live` 1: new error steps too. */
export function coveringTaxonomies(db: Db): { id: number; live: 0 | 1 }[] {
  return statement(
    db,
    `select x.id, ${LIVE} as live from taxonomy x where x.status = 'done' and x.origin <> 'dataset' and ${COVERAGE} = 'everything'`,
  ).all() as { id: number; live: 0 | 1 }[];
}

/** A type that a finding of the rules labels. `assigned`: its version also notes which steps were looked at. */
export interface LiveType {
  id: number;
  taxonomyId: number;
  assigned: 0 | 1;
  detectors: MisbehaviorSlug[];
}

/** Types that findings of the rules label, in every live version. */
export function liveTypes(db: Db): LiveType[] {
  const rows = statement(
    db,
    `select e.id, e.taxonomy_id as taxonomyId, ${COVERAGE} = 'assigned' as assigned, e.detectors
     from taxonomy x join error_type e on e.taxonomy_id = x.id
     where ${LIVE} and e.detectors <> '[]' and e.status <> 'retired' order by e.id`,
  ).all() as (Omit<LiveType, "detectors"> & { detectors: string })[];
  return rows.map((r) => ({ ...r, detectors: JSON.parse(r.detectors) as MisbehaviorSlug[] }));
}
