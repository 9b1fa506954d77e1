import "server-only";
import type { Db } from "@/db/client";
import { ALL_ERRORS, scopesOf } from "@/db/schema";
import { all, one } from "./prepared";
import { taxonomyInForce } from "./taxonomies";

/** A value of a filter with the number of trajectories that have it. "" stands for "not stated". */
export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

export interface Facets {
  total: number;
  /** Of these, results alone: no step was recorded. */
  withoutSteps: number;
  formats: FacetValue[];
  outcomes: FacetValue[];
  models: FacetValue[];
  tasks: FacetValue[];
  misbehaviors: FacetValue[];
}

type Counted = { value: string; count: number };
const labelled = (rows: Counted[]): FacetValue[] => rows.map((row) => ({ ...row, label: row.value }));

const byName = (column: string, table: string) => `select ifnull(n.name, '') as value, sum(c.trajectories) as count
  from corpus_count c left join ${table} n on n.id = c.${column} where c.trajectories > 0 group by 1 order by 2 desc, 1`;
const byColumn = (column: string) =>
  `select ${column} as value, sum(trajectories) as count from corpus_count where trajectories > 0 group by 1 order by 2 desc, 1`;

/** Values of the category filters over the whole index, from the maintained counters. */
export function trajectoryFacets(db: Db): Facets {
  const taxonomyId = taxonomyInForce(db);
  const types = all<FacetValue>(
    db,
    `select e.slug as value, e.name as label, sum(c.trajectories) as count
     from type_count c join error_type e on e.id = c.scope join taxonomy x on x.id = e.taxonomy_id
     where c.trajectories > 0 and (x.id = ? or x.origin = 'dataset') group by e.id order by e.named desc, e.rank, e.name`,
    taxonomyId,
  );
  const scope = (value: number): number =>
    one<{ n: number | null }>(db, "select sum(trajectories) as n from type_count where scope = ?", value)?.n ?? 0;
  const formats = labelled(all<Counted>(db, byColumn("format")));
  const total = formats.reduce((sum, f) => sum + f.count, 0);
  const any = scope(ALL_ERRORS);
  return {
    total,
    withoutSteps:
      one<{ n: number }>(db, "select count(*) as n from trajectory where steps = 0 and superseded_by is null")?.n ?? 0,
    formats,
    outcomes: labelled(all<Counted>(db, byColumn("outcome"))),
    models: labelled(all<Counted>(db, byName("checkpoint_id", "checkpoint"))),
    tasks: labelled(all<Counted>(db, byName("environment_id", "environment"))),
    misbehaviors: [
      { value: "any", label: "Any error step", count: any },
      { value: "named", label: "At least one misbehavior", count: scope(scopesOf(taxonomyId).named) },
      { value: "unlabelled", label: "Unlabelled error steps", count: scope(scopesOf(taxonomyId).unlabelled) },
      { value: "none", label: "No error step", count: total - any },
      ...types,
    ],
  };
}
