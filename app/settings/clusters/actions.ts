"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { statement } from "@/db/statement";
import { slurmSettings } from "@/lib/jobs/place/schema";
import { ClusterSettingsError, readClusters, writeSlurm } from "@/lib/jobs/place/settings";
import { SlurmError, sinfo } from "@/lib/jobs/place/slurm/client";
import { slurmFailure } from "./words";

const wanted = z.object({ slurm: slurmSettings.nullable() });

/** Writes the settings of Slurm with an audit row: neither is there without the other. null: no Slurm. */
export async function saveSlurmAction(input: z.input<typeof wanted>): Promise<ActionResult<null>> {
  return act(wanted, input, ({ slurm }, actor) => {
    const db = getDb();
    try {
      db.$client
        .transaction(() => {
          // A file that cannot be read is somebody's: it is not written over.
          const verb = readClusters().slurm === null ? "add" : slurm === null ? "remove" : "change";
          statement(db, "insert into audit (actor, verb, subject, details) values (?, ?, 'cluster:slurm', ?)").run(
            actor.name,
            verb,
            JSON.stringify(slurm ?? {}),
          );
          writeSlurm(slurm);
        })
        .immediate();
    } catch (error) {
      if (error instanceof ClusterSettingsError) throw new ActionRefused(error.message);
      throw error;
    }
    revalidatePath("/settings");
    return null;
  });
}

/** A line of sinfo: nodes of a partition in one state. */
export type SlurmNodes = Awaited<ReturnType<typeof sinfo>>[number];

/** Asks Slurm for its partitions. */
export async function testSlurmAction(): Promise<ActionResult<SlurmNodes[]>> {
  return act(z.undefined(), undefined, async () => {
    try {
      return await sinfo();
    } catch (error) {
      if (error instanceof SlurmError) throw new ActionRefused(slurmFailure(error));
      throw error;
    }
  });
}
