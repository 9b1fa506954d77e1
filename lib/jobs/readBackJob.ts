import "server-only";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { runOf, UnreadableFolder } from "@/lib/train/readback/folder";
import { readManifest } from "@/lib/train/readback/manifest";
import { enqueue, getJob, isFinal } from "./queue";
import { nameFor } from "./trainJob";

export interface NewReadBack {
  /** Absolute: `rollouts_save_path` of the trainer. */
  folder: string;
  /** manifest.json of the bundle it was started with; without it the one in the folder or above it. */
  manifest?: string;
  /** Name that the trainer gave the training, where the folder holds several. */
  run?: string;
  /** Of the training in the index. */
  name?: string;
  /** Go on while it is written. */
  follow: boolean;
  studyId?: number;
  requestedBy: string;
}

/** What a job that reads back is given. */
export const readBackParams = z.object({
  folder: z.string(),
  run: z.string(),
  follow: z.boolean(),
  /** Milliseconds between looks. */
  pollMs: z.number().int().positive().default(2000),
});

/** What `training_run.settings` holds of it besides the settings of the bundle. */
export const readBackSettings = z.object({
  readBack: z.object({ folder: z.string(), run: z.string(), bundle: z.json().nullable() }),
});

/**
 * Queues reading rollouts that open-instruct wrote. A folder that was read before goes on where it was read to, in the
 * same training. Throws UnreadableFolder, and UnusableTraining for a name that cannot be.
 */
export function enqueueReadBack(db: Db, given: NewReadBack): { runId: number; jobId: number; name: string } {
  const { follow, studyId = 1, requestedBy } = given;
  const folder = path.resolve(given.folder);
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory())
    throw new UnreadableFolder(`${folder} is no folder on this machine`);
  const run = runOf(folder, given.run);
  if (run === null)
    throw new UnreadableFolder(
      `${folder} holds no rollouts yet: files are called <run>_rollouts_000000.jsonl there. Give the folder of --rollouts_save_path, or --run to wait for it`,
    );
  const params = { folder, run, follow };
  const job = (name: string) => enqueue(db, { kind: "read-back", title: `Read back ${name}`, params, requestedBy });
  return db.$client
    .transaction(() => {
      const known = statement(
        db,
        `select id, name, job_id as jobId from training_run where launcher = 'open-instruct'
         and json_extract(settings, '$.readBack.folder') = ? and json_extract(settings, '$.readBack.run') = ?`,
      ).get(folder, run) as { id: number; name: string; jobId: number | null } | undefined;
      if (known) {
        const before = known.jobId === null ? undefined : getJob(db, known.jobId);
        if (before && (!isFinal(before.status) || before.status === "paused"))
          throw new UnreadableFolder(`job ${before.id} reads this folder already, into the training ${known.name}`);
        const jobId = job(known.name);
        statement(db, "update training_run set job_id = ? where id = ?").run(jobId, known.id);
        return { runId: known.id, jobId, name: known.name };
      }
      const manifest = given.manifest === undefined ? null : readManifest(given.manifest);
      const name = nameFor(db, run, given.name);
      const jobId = job(name);
      const settings = {
        ...(manifest?.settings ?? {}),
        readBack: { folder, run, bundle: manifest },
      };
      const runId = Number(
        statement(
          db,
          `insert into training_run (study_id, name, recipe, settings, launcher, seed, job_id) values (?, ?, ?, ?, 'open-instruct', ?, ?)`,
        ).run(
          studyId,
          name,
          manifest?.recipe ?? "unknown",
          JSON.stringify(settings),
          manifest?.settings.seed ?? 0,
          jobId,
        ).lastInsertRowid,
      );
      statement(
        db,
        "insert into checkpoint (name, kind, training_run_id) values (?, 'training', ?) on conflict (name) do update set training_run_id = excluded.training_run_id",
      ).run(`${name} (in training)`, runId);
      return { runId, jobId, name };
    })
    .immediate();
}
