import "server-only";
import type { z } from "zod";
import type { Db } from "@/db/client";
import { getTaxonomy } from "@/db/queries/taxonomies";
import { checkRelabel, RelabelRefused, relabelSettings, stepsToRelabel } from "@/lib/taxonomy/relabel";
import { plural } from "@/lib/text/format";
import { enqueue } from "./queue";

/** Queues the labelling of what waits under a version. Throws RelabelRefused when it may not or nothing waits, ZodError. */
export function enqueueRelabel(
  db: Db,
  given: z.input<typeof relabelSettings>,
  requestedBy: string,
): { jobId: number; steps: number } {
  const settings = relabelSettings.parse(given);
  return db.$client
    .transaction(() => {
      checkRelabel(db, settings.taxonomyId);
      const steps = stepsToRelabel(db, settings).length;
      if (steps === 0) throw new RelabelRefused("no label waits under this version");
      const row = getTaxonomy(db, settings.taxonomyId);
      const title = `Relabel ${plural(steps, "error step")} of ${row?.name} ${row?.version}`;
      return { jobId: enqueue(db, { kind: "relabel", title, params: settings, requestedBy }), steps };
    })
    .immediate();
}
