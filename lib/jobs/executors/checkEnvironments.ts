import "server-only";
import os from "node:os";
import { z } from "zod";
import { putBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { asExpected, CHECKS, type Check, checkEnvironment } from "@/lib/environment/check";
import type { Counts, Executor, ItemRow, ItemsContext } from "@/lib/jobs/executor";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { DRIVERS } from "@/lib/sandbox/types";

/** `environments`: ids. `what`: only these checks. `driver`: only this one; without it the first that can run an environment. */
export const checkParams = z.object({
  environments: z.array(z.number().int().positive()).min(1),
  what: z
    .array(z.enum(CHECKS))
    .min(1)
    .default([...CHECKS]),
  driver: z.enum(DRIVERS).optional(),
});

const itemSchema = z.object({ environment: z.number(), what: z.enum(CHECKS) });

function store(db: Db, jobId: number, check: Check): Counts {
  const { log: _, ...result } = check.run;
  statement(
    db,
    `insert into environment_check (environment_id, what, driver, status, reward, void_reason, result, log_hash, digest, duration_ms, job_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    check.environmentId,
    check.what,
    check.driver,
    check.run.status,
    check.run.reward,
    check.run.voidReason,
    JSON.stringify(result),
    check.log === "" ? null : putBlob(db, check.log),
    check.digest,
    Math.round(check.run.durationMs),
    jobId,
  );
  if (check.run.status === "void") return { checks: 1, voidChecks: 1 };
  return asExpected(check.what, check.run) ? { checks: 1, expected: 1 } : { checks: 1, unexpected: 1 };
}

/** Checks environments: reference solution and doing nothing, each in a fresh sandbox, then the hidden tests. */
export const checkEnvironmentsExecutor: Executor = {
  kind: "check-environments",
  batch: 256,

  async *list({ job }) {
    const { environments, what: checks } = checkParams.parse(JSON.parse(job.params));
    for (const environment of [...new Set(environments)])
      yield { items: checks.map((what) => ({ key: `${environment}:${what}`, payload: { environment, what } })) };
  },

  async run(context: ItemsContext) {
    const { db, job, signal } = context;
    const { driver } = checkParams.parse(JSON.parse(job.params));
    const host = await connectSandboxHost();
    const stop = () => void host.close();
    signal.addEventListener("abort", stop, { once: true });
    const waiting = [...context.items];
    const one = async (item: ItemRow) => {
      const { environment, what } = itemSchema.parse(JSON.parse(item.payload));
      const check = await checkEnvironment(db, host, environment, what, driver ? { driver } : {});
      // Stopped: what it came to says nothing; the item stays and is run again.
      if (signal.aborted) return;
      context.together(() => {
        context.commit(item, () => store(db, job.id, check));
        const { voidReason } = check.run;
        context.end(
          item,
          voidReason === null ? { status: "done" } : { status: "failed", error: `void: ${voidReason}` },
        );
      });
    };
    const work = async () => {
      for (let item = waiting.shift(); item && !signal.aborted; item = waiting.shift()) await one(item);
    };
    try {
      await Promise.all(Array.from({ length: Math.max(1, os.availableParallelism()) }, work));
    } finally {
      signal.removeEventListener("abort", stop);
      await host.close();
    }
  },
};
