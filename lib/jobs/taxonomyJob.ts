import "server-only";
import type { Db } from "@/db/client";
import { createBuild } from "@/lib/taxonomy/build/create";
import { type GivenTaxonomySettings, taxonomySettings } from "@/lib/taxonomy/settings";
import { enqueue } from "./queue";

export interface NewTaxonomy {
  name: string;
  settings: GivenTaxonomySettings;
  note?: string | null;
  requestedBy: string;
}

/** Queues the build of a taxonomy's next version: its job and its row, in one transaction. Throws NameTaken and ZodError. */
export function enqueueTaxonomy(
  db: Db,
  { name, settings, note, requestedBy }: NewTaxonomy,
): { taxonomyId: number; jobId: number } {
  const parsed = taxonomySettings.parse(settings);
  return db.$client
    .transaction(() => {
      const jobId = enqueue(db, { kind: "taxonomy", title: `Build taxonomy ${name}`, params: parsed, requestedBy });
      return { taxonomyId: createBuild(db, { name, settings: parsed, note, jobId }), jobId };
    })
    .immediate();
}
