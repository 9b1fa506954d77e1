import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import type { Counts, Executor, ItemRow, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { storeHumanLabels } from "@/lib/profile/humanLabels";
import { type Finding, localize } from "@/lib/profile/rules";
import { storeFindings } from "@/lib/profile/scan";
import { discover } from "@/lib/trajectory/discover";
import { type Prepared, prepareTrajectory } from "@/lib/trajectory/prepare";
import { readUnit } from "@/lib/trajectory/read";
import { linkParent, type StoreResult, storeTrajectory } from "@/lib/trajectory/store";
import type { Trajectory } from "@/lib/trajectory/types";
import type { Discovered, ImportUnit, ReadResult } from "@/lib/trajectory/unit";
import { requestIndexing } from "./textIndex";

/** `path`: absolute path of a file, folder or archive. */
export const importParams = z.object({ path: z.string().min(1), studyId: z.number().int().default(1) });

const unitSchema: z.ZodType<ImportUnit> = z.object({
  key: z.string(),
  path: z.string(),
  member: z.string().nullable(),
  bytes: z.number(),
});
const BATCH = 200;
/** Characters of text gathered before they are written as one transaction. */
const GATHER_CHARS = 8_000_000;

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

/** A trajectory that is ready to be written, or a file that is left out. */
type Ready = { item: ItemRow; unit: ImportUnit } & (
  | { kind: "trajectory"; prepared: Prepared; findings: Finding[] }
  | Exclude<ReadResult, { kind: "trajectory" }>
);

function store(db: Db, jobId: number, studyId: number, ready: Ready): Counts {
  if (ready.kind !== "trajectory") {
    noteFile(db, jobId, ready.kind, ready.kind === "refused" ? ready.refusal : ready.skip);
    return { [ready.kind]: 1 };
  }
  const { unit, prepared, findings } = ready;
  const { trajectory } = prepared;
  const source = `${unit.path}${unit.member === null ? "" : `!/${unit.member}`}`;
  const result = storeTrajectory(db, prepared, { studyId, jobId, sourceKey: `${source}#${trajectory.key}` });
  if (result.status !== "present") {
    storeFindings(db, result.id, findings, result.status === "imported");
    storeHumanLabels(db, result.id, trajectory.labels);
    if (trajectory.parentKey !== null)
      linkParent(db, result.id, `${source}#${trajectory.parentKey}`, trajectory.parentStep);
  }
  return counted(result.status, trajectory.format, prepared.steps, findings.length);
}

/** Gathers prepared trajectories up to a size, then writes them as one transaction. */
class Gatherer {
  private waiting: (Ready | { end: ItemRow })[] = [];
  private chars = 0;

  constructor(
    private readonly context: ItemsContext,
    private readonly studyId: number,
  ) {}

  add(item: ItemRow, unit: ImportUnit, read: ReadResult): void {
    if (read.kind !== "trajectory") {
      this.waiting.push({ item, unit, ...read });
      return;
    }
    const { trajectory, hash } = read;
    this.chars += sizeOf(trajectory);
    const prepared = prepareTrajectory(trajectory, hash);
    this.waiting.push({ item, unit, kind: "trajectory", prepared, findings: localize(trajectory.steps) });
  }

  end(item: ItemRow): void {
    this.waiting.push({ end: item });
  }

  get full(): boolean {
    return this.chars > GATHER_CHARS;
  }

  flush(): void {
    const { context, studyId } = this;
    const ready = this.waiting;
    this.waiting = [];
    this.chars = 0;
    context.together(() => {
      for (const r of ready) {
        if ("end" in r) context.end(r.end, { status: "done" });
        else context.commit(r.item, () => store(context.db, context.job.id, studyId, r));
      }
    });
  }
}

/** Characters of a trajectory's texts, about. */
function sizeOf(trajectory: Trajectory): number {
  let n = 1000;
  for (const step of trajectory.steps) {
    n += (step.message?.length ?? 0) + (step.thinking?.length ?? 0);
    for (const o of step.observations) n += (o.content?.length ?? 0) + (o.full?.length ?? 0);
  }
  return n;
}

/** Imports every trajectory below a path: one item a unit; a trajectory is written whole or not at all. */
export const importExecutor: Executor = {
  kind: "import",
  batch: 64,

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
    const { job, signal } = context;
    const { path: root, studyId } = importParams.parse(JSON.parse(job.params));
    const gatherer = new Gatherer(context, studyId);
    for (const item of context.items) {
      const unit = unitSchema.parse(JSON.parse(item.payload));
      for await (const read of readUnit(unit, root)) {
        gatherer.add(item, unit, read);
        if (gatherer.full) {
          gatherer.flush();
          // Lets the heartbeat and a cancel through in a unit of many trajectories.
          await new Promise<void>((resolve) => setImmediate(resolve));
          if (signal.aborted) return;
        }
      }
      gatherer.end(item);
    }
    gatherer.flush();
  },

  async finish({ db, job }) {
    requestIndexing(db, job.requested_by);
  },
};
