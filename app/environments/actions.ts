"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { environmentsByIds } from "@/db/queries/environmentList";
import { enqueue } from "@/lib/jobs/queue";
import { confine } from "@/lib/jobs/roots";

const MOST = 20_000;

const chosen = z.object({
  ids: z.array(z.number().int().positive()).min(1, "choose at least one environment").max(MOST),
});

/** Queues checks of environments (reference solution and nothing, then the hidden tests); answers with the job's id. */
export async function checkEnvironmentsAction(input: { ids: number[] }): Promise<ActionResult<{ jobId: number }>> {
  return act(chosen, input, ({ ids }, actor) => {
    const db = getDb();
    const rows = environmentsByIds(db, ids).filter((row) => row.digest !== null);
    const first = rows[0];
    if (!first)
      throw new ActionRefused(
        "None of them has files: only trajectories name them. Import their task directories first.",
      );
    return {
      jobId: enqueue(db, {
        kind: "check-environments",
        title: `Check ${rows.length === 1 ? first.name : `${rows.length} environments`}`,
        params: { environments: rows.map((row) => row.id) },
        requestedBy: actor.name,
      }),
    };
  });
}

const place = z.object({
  path: z.string().trim().min(1, "name a folder").max(4096),
  dataset: z.string().trim().max(200).optional(),
});

/** Queues the import of the task directories at or below a folder; answers with the job's id. */
export async function importEnvironmentsAction(input: {
  path: string;
  dataset?: string;
}): Promise<ActionResult<{ jobId: number }>> {
  return act(place, input, ({ path, dataset }, actor) => {
    const real = confine(path);
    if (!real.ok) throw new ActionRefused(real.reason);
    return {
      jobId: enqueue(getDb(), {
        kind: "import-environments",
        title: `Import environments of ${real.path}`,
        params: { path: real.path, ...(dataset ? { dataset } : {}) },
        requestedBy: actor.name,
      }),
    };
  });
}
