import "server-only";
import type { Db } from "@/db/client";
import { listTaxonomies, shownTaxonomy, type TaxonomyRow, taxonomyInForce } from "@/db/queries/taxonomies";

/** The version that a page shows, and how its links name it. */
export interface Shown {
  taxonomy: TaxonomyRow;
  inForce: boolean;
  /** Id that links carry; null for the version in force, which needs no name. */
  linked: number | null;
  /** Versions that could be shown instead. */
  choices: TaxonomyRow[];
}

/** From `?taxonomy=`; undefined in an index without any taxonomy. */
export function shownVersion(db: Db, asked: string | string[] | undefined): Shown | undefined {
  const id = typeof asked === "string" && /^\d{1,15}$/.test(asked) ? Number(asked) : null;
  const taxonomy = shownTaxonomy(db, id);
  if (!taxonomy) return undefined;
  const inForce = taxonomy.id === taxonomyInForce(db);
  return {
    taxonomy,
    inForce,
    linked: inForce ? null : taxonomy.id,
    choices: listTaxonomies(db).filter((t) => t.status === "done"),
  };
}

/** An address with the version where it has to be named. */
export const under = (path: string, linked: number | null): string =>
  linked === null ? path : `${path}${path.includes("?") ? "&" : "?"}taxonomy=${linked}`;
