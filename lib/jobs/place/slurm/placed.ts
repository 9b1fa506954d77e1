import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

const placedSchema = z.object({
  /** Submissions that are not through: number, id in Slurm (null: not known to be submitted), tasks. */
  submissions: z.array(z.object({ n: z.number(), slurmId: z.string().nullable(), tasks: z.number() })).default([]),
  /** Number of the next submission. */
  next: z.number().default(1),
  /** Times a task died with an item before anything of it was done, by item id. */
  deaths: z.record(z.string(), z.number()).default({}),
  /** Tasks by Slurm's word when it was last asked. */
  states: z.record(z.string(), z.number()).default({}),
  /** Every job in Slurm that this one had, the first one first. */
  slurmIds: z.array(z.string()).default([]),
  /** When Slurm last answered, epoch milliseconds. */
  askedAt: z.number().nullable().default(null),
});
/** What of a job lies with Slurm; column `placed` of the job. */
export type Placed = z.infer<typeof placedSchema>;
export type Submission = Placed["submissions"][number];

/** What of a job lies with Slurm, as written down last. */
export function readPlaced(db: Db, jobId: number): Placed {
  const row = statement(db, "select placed from job where id = ?").get(jobId) as { placed: string | null } | undefined;
  return placedSchema.parse(JSON.parse(row?.placed ?? "{}"));
}

export function writePlaced(db: Db, jobId: number, placed: Placed): void {
  statement(db, "update job set placed = ? where id = ?").run(JSON.stringify(placed), jobId);
}
