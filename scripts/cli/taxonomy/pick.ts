import type { Db } from "@/db/client";
import { findTaxonomy, getTaxonomy, listTaxonomies, type TaxonomyRow } from "@/db/queries/taxonomies";
import { UsageError } from "@/scripts/cli/output";

/** A version by id, "name" (its newest) or "name@version". */
export function pickTaxonomy(db: Db, given: string): TaxonomyRow {
  const found = findTaxonomy(db, given) ?? (/^[1-9]\d{0,14}$/.test(given) ? getTaxonomy(db, Number(given)) : undefined);
  if (found) return found;
  const known = listTaxonomies(db, { datasets: true }).map((t) => `${t.name}@${t.version}`);
  throw new UsageError(`there is no taxonomy "${given}"; there are ${known.join(", ")}`);
}

/** "mirl@2" */
export const label = (t: { name: string; version: number }): string => `${t.name}@${t.version}`;

/** Faults of the call among these become usage errors (exit code 2). */
export function usable<T>(faults: (new (...args: never[]) => Error)[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && faults.some((fault) => error instanceof fault)) throw new UsageError(error.message);
    throw error;
  }
}
