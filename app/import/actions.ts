"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { type ImportPreview, previewImport } from "@/lib/jobs/preview";
import { enqueue } from "@/lib/jobs/queue";
import { confine, importTitle } from "@/lib/jobs/roots";

const place = z.object({ path: z.string().trim().min(1, "name a file or folder").max(4096) });

function confined(path: string): string {
  const result = confine(path);
  if (!result.ok) throw new ActionRefused(result.reason);
  return result.path;
}

/** What lies below a path, without importing it. */
export async function previewImportAction(input: { path: string }): Promise<ActionResult<ImportPreview>> {
  return act(place, input, ({ path }) => previewImport(confined(path)));
}

/** Queues the import of a path; answers with the job's id. */
export async function startImportAction(input: { path: string }): Promise<ActionResult<{ jobId: number }>> {
  return act(place, input, ({ path }, actor) => {
    const real = confined(path);
    return {
      jobId: enqueue(getDb(), {
        kind: "import",
        title: importTitle(real),
        params: { path: real, studyId: 1 },
        requestedBy: actor.name,
      }),
    };
  });
}
