import "server-only";
import type { Db } from "@/db/client";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { environmentOf } from "./environments";
import { taxonomyInForce } from "./taxonomies";
import { errorTypeIdOf } from "./trajectory-filters";
import { AIDED, TALLIES_BY_CHECKPOINT, TALLY_COLUMNS, type Tally, withUnaided } from "./unaided";

/** Counts behind one row of the misbehavior table. Shares are left to the reader: both parts are here. */
export interface TypeCounts {
  errorSteps: number;
  trajectories: number;
  /** Environments with at least one such error step; trajectories that name no environment are left out. */
  environments: number;
}

export interface Misbehavior {
  id: number;
  slug: string;
  name: string;
  definition: string;
  excludes: string[];
  example: string | null;
  looksFor: string | null;
  rank: number;
}

export interface MisbehaviorRow extends Misbehavior, TypeCounts {}

export interface MisbehaviorOverview {
  rows: MisbehaviorRow[];
  /** All active error steps. */
  all: TypeCounts;
  /** At least one of the named misbehaviors. */
  named: TypeCounts;
  /** Looked at, and none of them. */
  unlabelled: TypeCounts;
  /** Error steps that nobody looked at under this version. */
  unseen: number;
  /** Denominators. `environments`: those with at least one step; where nobody acted, nothing can go wrong. */
  corpus: { trajectories: number; steps: number; environments: number; withoutEnvironment: number };
}

const NONE: TypeCounts = { errorSteps: 0, trajectories: 0, environments: 0 };

type TypeRow = {
  id: number;
  slug: string;
  name: string;
  definition: string;
  excludes: string;
  example: string | null;
  looks_for: string | null;
  rank: number;
};

const TYPE_COLUMNS = "e.id, e.slug, e.name, e.definition, e.excludes, e.example, e.looks_for, e.rank";

const toMisbehavior = (r: TypeRow): Misbehavior => ({
  id: r.id,
  slug: r.slug,
  name: r.name,
  definition: r.definition,
  excludes: JSON.parse(r.excludes) as string[],
  example: r.example,
  looksFor: r.looks_for,
  rank: r.rank,
});

/** The misbehaviors of a taxonomy version (default: the one in force), in its order. */
export function listMisbehaviors(db: Db, taxonomyId = taxonomyInForce(db)): Misbehavior[] {
  return db.$client
    .prepare<[number], TypeRow>(
      `select ${TYPE_COLUMNS} from error_type e where e.named = 1 and e.taxonomy_id = ? order by e.rank, e.id`,
    )
    .all(taxonomyId)
    .map(toMisbehavior);
}

/** Counts by scope, from the maintained counters. */
function countsByScope(db: Db): Map<number, TypeCounts> {
  const { column, join } = environmentOf(db);
  const rows = db.$client
    .prepare<[], { scope: number } & TypeCounts>(
      `select scope, sum(e) as errorSteps, sum(t) as trajectories, sum(environment_id > 0 and e > 0) as environments
       from (select k.scope, ${column} as environment_id, sum(k.error_steps) as e, sum(k.trajectories) as t
             from type_count k ${join} group by 1, 2)
       group by scope`,
    )
    .all();
  return new Map(rows.map(({ scope, ...counts }) => [scope, counts]));
}

/** Everything the table and the distribution chart of /misbehaviors show, under a version (default: the one in force). */
export function misbehaviorOverview(db: Db, taxonomyId = taxonomyInForce(db)): MisbehaviorOverview {
  const { column, join } = environmentOf(db);
  const counts = countsByScope(db);
  const corpus = db.$client
    .prepare<[], MisbehaviorOverview["corpus"]>(
      `select ifnull(sum(t), 0) as trajectories, ifnull(sum(s), 0) as steps, ifnull(sum(environment_id > 0 and s > 0), 0) as environments,
              ifnull(sum(case when environment_id = 0 then t end), 0) as withoutEnvironment
       from (select ${column} as environment_id, sum(k.trajectories) as t, sum(k.steps) as s
             from corpus_count k ${join} group by 1)`,
    )
    .get();
  const scopes = scopesOf(taxonomyId);
  const everything = counts.get(ALL_ERRORS) ?? NONE;
  const named = counts.get(scopes.named) ?? NONE;
  const unlabelled = counts.get(scopes.unlabelled) ?? NONE;
  return {
    rows: listMisbehaviors(db, taxonomyId).map((m) => ({ ...m, ...(counts.get(m.id) ?? NONE) })),
    all: everything,
    named,
    unlabelled,
    unseen: everything.errorSteps - named.errorSteps - unlabelled.errorSteps,
    corpus: corpus ?? { trajectories: 0, steps: 0, environments: 0, withoutEnvironment: 0 },
  };
}

export interface ModelTypeRow {
  /** null: the file names no model. */
  model: string | null;
  scope: number;
  errorSteps: number;
  trajectories: number;
}

/** Error steps by model and scope (error type ids, ALL_ERRORS, scopesOf). */
export function countsByModel(db: Db): ModelTypeRow[] {
  return db.$client
    .prepare<[], ModelTypeRow>(
      `select c.name as model, k.scope, k.e as errorSteps, k.t as trajectories
       from (select checkpoint_id, scope, sum(error_steps) as e, sum(trajectories) as t from type_count group by checkpoint_id, scope) k
       left join checkpoint c on c.id = k.checkpoint_id where k.e > 0 order by model is null, model, scope`,
    )
    .all();
}

/** The same of unaided rollouts alone: the counters, less what is found to be aided. */
export function unaidedByModel(db: Db): ModelTypeRow[] {
  return db.$client
    .prepare<[], ModelTypeRow>(
      `select c.name as model, k.scope, k.e as errorSteps, k.t as trajectories
       from (select checkpoint_id, scope, sum(e) as e, sum(t) as t
             from (select checkpoint_id, scope, error_steps as e, trajectories as t from type_count
               union all select ifnull(t.checkpoint_id, 0), x.scope, -x.error_steps, -1
                 from ${AIDED} a join trajectory t on t.id = a.id join trajectory_type x on x.trajectory_id = t.id where t.superseded_by is null)
             group by 1, 2) k
       left join checkpoint c on c.id = k.checkpoint_id where k.e > 0 order by model is null, model, scope`,
    )
    .all();
}

export interface ModelCorpus extends Tally {
  /** null: the file names no model. */
  model: string | null;
  /** It is a policy in training, whose weights changed between its rollouts: no one checkpoint has its rates. */
  changing: boolean;
  /** Of its whole rollouts that nobody helped: what it is compared by. */
  unaided: Tally;
}

/** Denominators by model: trajectories, steps, outcomes. Those in training come last, else the most unaided rollouts first. */
export function corpusByModel(db: Db): ModelCorpus[] {
  return db.$client
    .prepare<[], Omit<ModelCorpus, "changing"> & { changing: number }>(
      `select c.name as model, c.kind is 'training' as changing, ${TALLY_COLUMNS} from (${TALLIES_BY_CHECKPOINT}) k left join checkpoint c on c.id = k.checkpoint_id
       where k.trajectories > 0 order by k.trajectories desc, model`,
    )
    .all()
    .map((row) => withUnaided({ ...row, changing: row.changing === 1 }))
    .toSorted((a, b) => Number(a.changing) - Number(b.changing) || b.unaided.trajectories - a.unaided.trajectories);
}

/** An error type by its slug, with its counts: of the version (default: in force), or one that a data set's labels brought along. */
export function getErrorType(
  db: Db,
  slug: string,
  taxonomyId?: number,
):
  | (MisbehaviorRow & { named: boolean; status: string; detectors: string[]; examples: number[]; taxonomyId: number })
  | undefined {
  const id = errorTypeIdOf(db, slug, taxonomyId);
  if (id === null) return undefined;
  const row = db.$client
    .prepare<
      [number],
      TypeRow & { named: number; status: string; detectors: string; examples: string; taxonomyId: number }
    >(
      `select ${TYPE_COLUMNS}, e.named, e.status, e.detectors, e.examples, e.taxonomy_id as taxonomyId from error_type e where e.id = ?`,
    )
    .get(id);
  return (
    row && {
      ...toMisbehavior(row),
      named: row.named === 1,
      status: row.status,
      detectors: JSON.parse(row.detectors) as string[],
      examples: JSON.parse(row.examples) as number[],
      taxonomyId: row.taxonomyId,
      ...(countsByScope(db).get(row.id) ?? NONE),
    }
  );
}

export interface EnvironmentCount {
  environment: string;
  errorSteps: number;
  trajectories: number;
}

/** Environments in which a scope occurs most, by error steps. */
export function topEnvironments(db: Db, scope: number, limit = 15): EnvironmentCount[] {
  return db.$client
    .prepare<[number, number], EnvironmentCount>(
      `select e.name as environment, sum(k.error_steps) as errorSteps, sum(k.trajectories) as trajectories
       from type_count k join environment e on e.id = k.environment_id
       where k.scope = ? and k.error_steps > 0 group by e.name order by errorSteps desc, environment limit ?`,
    )
    .all(scope, limit);
}
