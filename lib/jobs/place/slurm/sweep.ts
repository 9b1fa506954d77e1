import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { logJob } from "@/lib/jobs/queue";
import { jobNamed, SlurmError, scancel } from "./client";
import { submissionName } from "./folder";
import { readPlaced, writePlaced } from "./placed";

/**
 * Takes back what still lies with Slurm of jobs that ended or were paused while nobody followed them. What cannot be asked
 * for now is tried again at the next call; never rejects.
 */
export async function withdrawEnded(db: Db): Promise<void> {
  const rows = statement(
    db,
    `select id from job where place = 'slurm' and status not in ('queued', 'running')
       and json_array_length(ifnull(placed, '{}'), '$.submissions') > 0`,
  ).all() as { id: number }[];
  for (const { id } of rows) {
    const placed = readPlaced(db, id);
    try {
      for (const { n, slurmId } of placed.submissions) {
        const known = slurmId ?? (await jobNamed(submissionName(id, n)));
        if (known !== null) await scancel([known]);
      }
    } catch (error) {
      if (error instanceof SlurmError) continue;
      logJob(db, id, "error", `what lies with Slurm was not cancelled: ${String(error)}`);
      continue;
    }
    logJob(db, id, "info", "cancelled in Slurm what was left there");
    writePlaced(db, id, { ...placed, submissions: [], states: {} });
  }
}
