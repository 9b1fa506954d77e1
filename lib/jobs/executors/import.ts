import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import type { Counts, Executor, ItemContext, NewItem } from "@/lib/jobs/executor";
import { storeHumanLabels } from "@/lib/profile/humanLabels";
import { localize } from "@/lib/profile/rules";
import { storeFindings } from "@/lib/profile/scan";
import { discover } from "@/lib/trajectory/discover";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { readUnit } from "@/lib/trajectory/read";
import { linkParent, type StoreResult, storeTrajectory } from "@/lib/trajectory/store";
import type { Discovered, ImportUnit, ReadResult } from "@/lib/trajectory/unit";

/** `path`: absolute path of a file, folder or archive. */
export const importParams = z.object({ path: z.string().min(1), studyId: z.number().int().default(1) });

const unitSchema: z.ZodType<ImportUnit> = z.object({
  key: z.string(),
  path: z.string(),
  member: z.string().nullable(),
  bytes: z.number(),
});
const BATCH = 200;
/** A unit lets the heartbeat through after this many trajectories. */
const BREATHE_EVERY = 20;

function noteFile(
  db: Db,
  jobId: number,
  status: "refused" | "skipped",
  file: { key: string; path: string; position?: string | null; reason: string; hint?: string | null },
): number {
  return db.$client
    .prepare(
      "insert or ignore into import_file (job_id, key, path, status, position, reason, hint) values (?, ?, ?, ?, ?, ?, ?)",
    )
    .run(jobId, file.key, file.path, status, file.position ?? null, file.reason, file.hint ?? null).changes;
}

async function* batches<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const value of source) {
    batch.push(value);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

function counted(status: StoreResult["status"], format: string, steps: number, findings: number): Counts {
  const stored = status !== "present";
  return {
    [status]: 1,
    [`${stored ? "imported" : "present"}:${format}`]: 1,
    ...(stored ? { steps, findings } : {}),
  };
}

type Read = Extract<ReadResult, { kind: "trajectory" }>;

function storeOne(context: ItemContext, unit: ImportUnit, read: Read, studyId: number): void {
  const { db, job } = context;
  const { trajectory } = read;
  const prepared = prepareTrajectory(trajectory, read.hash);
  const findings = localize(trajectory.steps);
  context.commit(() => {
    const source = `${unit.path}${unit.member === null ? "" : `!/${unit.member}`}`;
    const sourceKey = `${source}#${trajectory.key}`;
    const result = storeTrajectory(db, prepared, { studyId, jobId: job.id, sourceKey });
    if (result.status !== "present") {
      storeFindings(db, result.id, findings, result.status === "imported");
      storeHumanLabels(db, result.id, trajectory.labels);
      if (trajectory.parentKey !== null)
        linkParent(db, result.id, `${source}#${trajectory.parentKey}`, trajectory.parentStep);
    }
    return { value: undefined, delta: counted(result.status, trajectory.format, prepared.steps, findings.length) };
  });
}

/** Imports every trajectory below a path: one item a unit, one transaction a trajectory. */
export const importExecutor: Executor = {
  kind: "import",

  async *list({ db, job }) {
    const { path } = importParams.parse(JSON.parse(job.params));
    for await (const batch of batches(discover(path), BATCH)) {
      const items: NewItem[] = [];
      const rest: Exclude<Discovered, { kind: "unit" }>[] = [];
      for (const found of batch) {
        if (found.kind === "unit") items.push({ key: found.unit.key, payload: found.unit });
        else rest.push(found);
      }
      yield {
        items,
        effect: () => {
          const counts: Counts = {};
          for (const found of rest) {
            const added =
              found.kind === "refused"
                ? noteFile(db, job.id, "refused", found.refusal)
                : noteFile(db, job.id, "skipped", found.skip);
            counts[found.kind] = (counts[found.kind] ?? 0) + added;
          }
          return counts;
        },
      };
    }
  },

  async run(context) {
    const { db, job, signal } = context;
    const { path: root, studyId } = importParams.parse(JSON.parse(job.params));
    const unit = unitSchema.parse(JSON.parse(context.item.payload));
    let n = 0;
    for await (const read of readUnit(unit, root)) {
      if (read.kind === "trajectory") storeOne(context, unit, read, studyId);
      else {
        context.commit(() => {
          noteFile(db, job.id, read.kind, read.kind === "refused" ? read.refusal : read.skip);
          return { value: undefined, delta: { [read.kind]: 1 } };
        });
      }
      if (++n % BREATHE_EVERY === 0) await new Promise<void>((resolve) => setImmediate(resolve));
      if (signal.aborted) break;
    }
    return { status: "done" };
  },
};
