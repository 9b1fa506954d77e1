import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

/** Row of `setting`: id of the taxonomy version that pages, lists and draws go by. */
export const IN_FORCE_SETTING = "taxonomy";

/**
 * SQL over a taxonomy `x`: how it comes to its labels. "everything": rules see every error step; "assigned": only steps
 * with a row in `assignment` were looked at.
 */
export const COVERAGE = `ifnull(json_extract(x.params, '$.coverage'), case x.origin when 'builtin' then 'everything' else 'assigned' end)`;

/** A version of a taxonomy. */
export interface TaxonomyRow {
  id: number;
  name: string;
  version: number;
  parentId: number | null;
  /** builtin | dataset | annotator | edited */
  origin: string;
  note: string | null;
  jobId: number | null;
  /** building | done | failed; a build whose job failed or was cancelled is failed until it is tried again. */
  status: string;
  params: string;
  /** everything | assigned: see COVERAGE. */
  coverage: "everything" | "assigned";
  author: string | null;
  createdAt: number;
  /** 1: no later version of its name is done. */
  newest: number;
}

/** Status of a version `x`. */
const STATUS = `case when x.status = 'building' and exists (select 1 from job j where j.id = x.job_id and j.status in ('failed', 'cancelled'))
  then 'failed' else x.status end`;

const COLUMNS = `x.id, x.name, x.version, x.parent_id as parentId, x.origin, x.note, x.job_id as jobId, ${STATUS} as status, x.params,
  ${COVERAGE} as coverage, x.author,
  x.created_at as createdAt,
  not exists (select 1 from taxonomy m where m.name = x.name and m.version > x.version and m.status = 'done') as newest`;

/** Every version, newest name first, then newest version. Data sets' own categories are left out unless asked for. */
export const listTaxonomies = (db: Db, { datasets = false } = {}): TaxonomyRow[] =>
  all<TaxonomyRow>(
    db,
    `select ${COLUMNS} from taxonomy x where (? or x.origin <> 'dataset')
     order by (select max(m.id) from taxonomy m where m.name = x.name) desc, x.version desc`,
    datasets ? 1 : 0,
  );

/** A version by its id. */
export const getTaxonomy = (db: Db, id: number): TaxonomyRow | undefined =>
  one<TaxonomyRow>(db, `select ${COLUMNS} from taxonomy x where x.id = ?`, id);

/** The newest version of a name that is done or being built. */
export const newestOf = (db: Db, name: string): TaxonomyRow | undefined =>
  one<TaxonomyRow>(
    db,
    `select ${COLUMNS} from taxonomy x where x.name = ? and ${STATUS} <> 'failed' order by x.version desc limit 1`,
    name,
  );

/** A version by "name" (the newest that is done) or "name@version". */
export function findTaxonomy(db: Db, given: string): TaxonomyRow | undefined {
  const [, name, version] = /^(.*?)(?:@(\d{1,9}))?$/s.exec(given) ?? [];
  return one<TaxonomyRow>(
    db,
    `select ${COLUMNS} from taxonomy x where x.name = ? and (case when ? is null then x.status = 'done' else x.version = ? end)
     order by x.version desc limit 1`,
    name ?? "",
    version ?? null,
    version === undefined ? null : Number(version),
  );
}

/** Id of the version in force: the chosen one, else the newest of the built-in name; 0 in an index without any. */
export function taxonomyInForce(db: Db): number {
  const row = one<{ id: number }>(
    db,
    `select id from (
       select x.id, 0 as turn from setting s join taxonomy x on x.id = cast(s.value as integer) and x.status = 'done' where s.key = ?
       union all select * from (select id, 1 from taxonomy where status = 'done'
         and name = (select name from taxonomy where origin = 'builtin' order by id limit 1) order by version desc limit 1))
     order by turn limit 1`,
    IN_FORCE_SETTING,
  );
  return row?.id ?? 0;
}

/** The version a page is to show: the one its address asks for when it can be shown, else the one in force. */
export function shownTaxonomy(db: Db, asked: number | null): TaxonomyRow | undefined {
  const wanted = asked === null ? undefined : getTaxonomy(db, asked);
  if (wanted && wanted.status === "done" && wanted.origin !== "dataset") return wanted;
  return getTaxonomy(db, taxonomyInForce(db));
}

/** An error type of a version, with its number of active error steps. */
export interface TypeRow {
  id: number;
  taxonomyId: number;
  slug: string;
  name: string;
  definition: string;
  excludes: string[];
  example: string | null;
  looksFor: string | null;
  rank: number;
  /** 1: counted as a misbehavior. */
  named: number;
  /** kept | tail | retired */
  status: string;
  lineage: number[];
  detectors: string[];
  /** Step ids. */
  examples: number[];
  errorSteps: number;
}

type RawType = Omit<TypeRow, "excludes" | "lineage" | "detectors" | "examples"> &
  Record<"excludes" | "lineage" | "detectors" | "examples", string>;

const list = <T>(json: string): T[] => JSON.parse(json) as T[];

/** Types of a version in its order: kept ones, then the tail, then retired ones. */
export const typesOf = (db: Db, taxonomyId: number): TypeRow[] =>
  all<RawType>(
    db,
    `select e.id, e.taxonomy_id as taxonomyId, e.slug, e.name, e.definition, e.excludes, e.example, e.looks_for as looksFor, e.rank,
       e.named, e.status, e.lineage, e.detectors, e.examples,
       ifnull((select sum(k.error_steps) from type_count k where k.scope = e.id), 0) as errorSteps
     from error_type e where e.taxonomy_id = ? order by e.status = 'retired', e.named desc, e.rank, e.id`,
    taxonomyId,
  ).map((row) => ({
    ...row,
    excludes: list<string>(row.excludes),
    lineage: list<number>(row.lineage),
    detectors: list<string>(row.detectors),
    examples: list<number>(row.examples),
  }));

/** What annotators made of the error steps under a version; steps without a row were not looked at. */
export interface Looked {
  labelled: number;
  none: number;
  failed: number;
  unparsed: number;
  stale: number;
}

/** Of the active error steps. */
export function lookedAt(db: Db, taxonomyId: number): Looked {
  const row = one<Record<keyof Looked, number | null>>(
    db,
    `select sum(a.status = 'labelled') as labelled, sum(a.status = 'none') as none, sum(a.status = 'failed') as failed,
       sum(a.status = 'unparsed') as unparsed, sum(a.stale) as stale
     from assignment a join error_step e on e.step_id = a.step_id and e.active = 1 where a.taxonomy_id = ?`,
    taxonomyId,
  );
  const count = (n: number | null | undefined) => n ?? 0;
  return {
    labelled: count(row?.labelled),
    none: count(row?.none),
    failed: count(row?.failed),
    unparsed: count(row?.unparsed),
    stale: count(row?.stale),
  };
}

/** Error steps by scope of every version's pseudo types, and of all error steps: one look for a list of versions. */
export const pseudoCounts = (db: Db): Map<number, number> =>
  new Map(
    all<{ scope: number; n: number }>(
      db,
      "select scope, sum(error_steps) as n from type_count where scope <= 0 group by scope",
    ).map((row) => [row.scope, row.n]),
  );
