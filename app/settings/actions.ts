"use server";
import fs from "node:fs";
import path from "node:path";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { type ActionResult, act } from "@/app/action";
import { backupIndex } from "@/db/backup";
import { getDb } from "@/db/client";
import { home } from "@/db/home";
import { enqueue } from "@/lib/jobs/queue";
import { RULES_VERSION } from "@/lib/profile/rules";

const nothing = z.undefined();

/** Copies the index into the backups folder. Answers with file and size. */
export async function backupAction(): Promise<ActionResult<{ file: string; bytes: number }>> {
  return act(nothing, undefined, async () => {
    const file = path.join(home().backups, `misstep-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
    await backupIndex(getDb(), file);
    revalidatePath("/settings");
    return { file, bytes: fs.statSync(file).size };
  });
}

/** Queues a scan of everything with the present rules. */
export async function rescanAction(): Promise<ActionResult<{ jobId: number }>> {
  return act(nothing, undefined, (_, actor) => ({
    jobId: enqueue(getDb(), {
      kind: "scan",
      title: `Scan with rules ${RULES_VERSION}`,
      params: { scope: "all" },
      requestedBy: actor.name,
    }),
  }));
}
