import "server-only";
import type { Db } from "@/db/client";
import { listTaxonomies, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";

/** A version of a taxonomy with the misbehaviors that can be drawn from it. */
export interface SampleVersion {
  id: number;
  name: string;
  version: number;
  types: {
    slug: string;
    name: string;
    /** Error steps with it. */
    errorSteps: number;
  }[];
}

/** Versions that prefixes can be drawn from, newest first, and which one is in force. */
export function sampleVersions(db: Db): { versions: SampleVersion[]; inForce: number } {
  const versions = listTaxonomies(db)
    .filter((t) => t.status === "done")
    .map(({ id, name, version }) => ({
      id,
      name,
      version,
      types: typesOf(db, id)
        .filter((type) => type.named === 1)
        .map(({ slug, name, errorSteps }) => ({ slug, name, errorSteps })),
    }));
  return { versions, inForce: taxonomyInForce(db) };
}
