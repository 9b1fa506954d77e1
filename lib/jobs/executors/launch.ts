import "server-only";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Executor, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { localLauncher } from "@/lib/jobs/launch/local";
import { rayLauncher } from "@/lib/jobs/launch/ray";
import { slurmLauncher } from "@/lib/jobs/launch/slurm";
import { type Launcher, LaunchFailure, type LaunchStatus } from "@/lib/jobs/launch/types";
import { readClusters } from "@/lib/jobs/place/settings";
import { submissionName } from "@/lib/jobs/place/slurm/folder";

/** A bundle and where it is run; `address`: of the Ray head. */
export const launchParams = z.object({ folder: z.string().min(1), address: z.url().optional() });

const placedSchema = z.object({ log: z.number().default(0), state: z.string().default("") });

function launcherOf(place: string, address: string | undefined): Launcher {
  if (place === "ray") return rayLauncher(address ?? "");
  if (place !== "slurm") return localLauncher;
  const { slurm } = readClusters();
  if (slurm === null) throw new JobBroken("no Slurm is set up here; see Settings, Clusters");
  return slurmLauncher(slurm);
}

const placedOf = (db: Db, jobId: number) => {
  const row = statement(db, "select placed from job where id = ?").get(jobId) as { placed: string | null };
  return placedSchema.parse(JSON.parse(row.placed ?? "{}"));
};

/** Puts what was printed since into the job's log, whole lines at a time; all of it once `all`. */
async function followLog(context: ItemsContext, launcher: Launcher, folder: string, name: string, all: boolean) {
  const { db, job } = context;
  const placed = placedOf(db, job.id);
  const text = await launcher.log(folder, name, placed.log);
  const whole = all ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole === "") return false;
  db.$client
    .transaction(() => {
      // A log line of ours holds a stretch of theirs: trainers print thousands.
      for (let from = 0; from < whole.length; from += 8000)
        context.log("info", whole.slice(from, from + 8000).trimEnd() || "(blank lines)");
      statement(db, "update job set placed = json_set(ifnull(placed, '{}'), '$.log', ?) where id = ?").run(
        placed.log + whole.length,
        job.id,
      );
    })
    .immediate();
  return true;
}

const OVER: Record<string, true> = { succeeded: true, failed: true, stopped: true, lost: true };

async function follow(
  context: ItemsContext,
  launcher: Launcher,
  folder: string,
  pollMs: number,
): Promise<LaunchStatus | null> {
  const { db, job, signal } = context;
  const name = submissionName(job.id, 1);
  let submitted = false;
  let silent = false;
  for (let wait = pollMs; !signal.aborted; ) {
    try {
      if (!submitted) await launcher.submit(folder, name);
      submitted = true;
      const status = await launcher.status(folder, name);
      const changed = await followLog(context, launcher, folder, name, OVER[status.state] === true);
      if (silent) context.log("info", "it answers again");
      silent = false;
      if (placedOf(db, job.id).state !== status.state)
        context.log("info", `${status.state}${status.message ? `: ${status.message}` : ""}`);
      statement(
        db,
        `update job set placed = json_set(ifnull(placed, '{}'), '$.state', ?, '$.said', ?, '$.name', ?, '$.askedAt', ?)
         where id = ?`,
      ).run(status.state, status.message, name, Date.now(), job.id);
      if (OVER[status.state]) return status;
      wait = changed ? pollMs : Math.min(wait * 1.5, 15 * pollMs);
    } catch (error) {
      if (!(error instanceof LaunchFailure) || !error.transient || !submitted) throw error;
      if (!silent) context.log("warn", `${error.message} Asked again until it answers.`);
      silent = true;
      wait = 15 * pollMs;
    }
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
  if (signal.reason !== "cancel" && signal.reason !== "pause") return null;
  await launcher.stop(folder, name);
  await followLog(context, launcher, folder, name, true);
  context.log("info", "stopped on request");
  return null;
}

/** Runs a bundle of a larger trainer: submits it, follows state and log, and stops it on request. */
export function makeLaunchExecutor(pollMs = 2000): Executor {
  return {
    kind: "launch",
    placesItself: true,
    async *list() {
      yield { items: [{ key: "launch.sh", payload: {} }] };
    },
    async run(context) {
      const { folder, address } = launchParams.parse(JSON.parse(context.job.params));
      if (!fs.existsSync(path.join(folder, "launch.sh"))) throw new JobBroken(`${folder} holds no launch.sh`);
      const status = await follow(context, launcherOf(context.job.place, address), folder, pollMs);
      const [item] = context.items;
      if (status === null || !item) return;
      if (status.state !== "succeeded") throw new Error(`${status.state}: ${status.message ?? "no reason given"}`);
      context.together(() => context.end(item, { status: "done" }));
    },
  };
}
