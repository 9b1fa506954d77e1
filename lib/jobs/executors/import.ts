import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Counts, Executor, ItemRow, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { storeHumanLabels } from "@/lib/profile/humanLabels";
import { storeFindings } from "@/lib/profile/scan";
import { discover } from "@/lib/trajectory/discover";
import type { Prepared } from "@/lib/trajectory/prepare";
import { linkParent, type StoreResult, storeTrajectory } from "@/lib/trajectory/store";
import type { Discovered, ImportUnit } from "@/lib/trajectory/unit";
import { type Read, readUnits } from "./importRead";
import { hasImportThreads, type Reading, readInThread } from "./importThreads";

/** `path`: absolute path of a file, folder or archive. */
export const importParams = z.object({ path: z.string().min(1), studyId: z.number().int().default(1) });

const unitSchema: z.ZodType<ImportUnit> = z.object({
  key: z.string(),
  path: z.string(),
  member: z.string().nullable(),
  bytes: z.number(),
});
const BATCH = 200;
/** Packed bytes gathered before they are written as one transaction, and what a row of a step adds to them. */
const GATHER_BYTES = 4_000_000;
const ROW_BYTES = 150;
/** Units from which on they are read in threads, the units of one task, and the tasks begun ahead of the one being written. */
const THREADED = 64;
const TASK = 12;
const TASKS_AHEAD = 6;

function noteFile(
  db: Db,
  jobId: number,
  status: "refused" | "skipped",
  file: { key: string; path: string; position?: string | null; reason: string; hint?: string | null },
): number {
  return statement(
    db,
    "insert or ignore into import_file (job_id, key, path, status, position, reason, hint) values (?, ?, ?, ?, ?, ?, ?)",
  ).run(jobId, file.key, file.path, status, file.position ?? null, file.reason, file.hint ?? null).changes;
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

function counted(status: StoreResult["status"], { head, steps }: Prepared, findings: number): Counts {
  const stored = status !== "present";
  return {
    [status]: 1,
    [`${stored ? "imported" : "present"}:${head.format}`]: 1,
    ...(stored ? { steps, findings, labels: head.labels.length, noSteps: steps === 0 ? 1 : 0 } : {}),
  };
}

type Result = Exclude<Read, { kind: "end" }>;

function store(db: Db, jobId: number, studyId: number, unit: ImportUnit, read: Result): Counts {
  if (read.kind !== "trajectory") {
    noteFile(db, jobId, read.kind, read.kind === "refused" ? read.refusal : read.skip);
    return { [read.kind]: 1 };
  }
  const { prepared, findings } = read;
  const { head } = prepared;
  const source = `${unit.path}${unit.member === null ? "" : `!/${unit.member}`}`;
  const result = storeTrajectory(db, prepared, { studyId, jobId, sourceKey: `${source}#${head.key}` });
  if (result.status !== "present") {
    storeFindings(db, result.id, findings, result.status === "imported");
    storeHumanLabels(db, result.id, head.labels);
    if (head.parentKey !== null) linkParent(db, result.id, `${source}#${head.parentKey}`, head.parentStep);
  }
  return counted(result.status, prepared, findings.length);
}

/** Gathers what was read up to a size, then writes it as one transaction. */
class Gatherer {
  private waiting: { item: ItemRow; unit: ImportUnit; read: Read }[] = [];
  private bytes = 0;

  constructor(
    private readonly context: ItemsContext,
    private readonly studyId: number,
  ) {}

  add(item: ItemRow, unit: ImportUnit, read: Read): void {
    this.waiting.push({ item, unit, read });
    if (read.kind !== "trajectory") return;
    this.bytes += read.prepared.rows.length * ROW_BYTES;
    for (const { data } of read.prepared.chunks) this.bytes += data.byteLength;
  }

  get full(): boolean {
    return this.bytes > GATHER_BYTES;
  }

  flush(): void {
    const { context, studyId } = this;
    const { waiting } = this;
    this.waiting = [];
    this.bytes = 0;
    context.together(() => {
      for (const { item, unit, read } of waiting) {
        if (read.kind === "end") context.end(item, { status: "done" });
        else context.commit(item, () => store(context.db, context.job.id, studyId, unit, read));
      }
    });
  }
}

/** What was read of the units of a call, in the order of the units, whoever reads them. */
async function* readAll(units: ImportUnit[], root: string, signal: AbortSignal): AsyncGenerator<Read[]> {
  if (units.length < THREADED || !hasImportThreads()) {
    yield* readUnits(units, root);
    return;
  }
  const open: { first: number; reading: Reading }[] = [];
  const abandon = () => {
    for (const { reading } of open) reading.abandon();
  };
  signal.addEventListener("abort", abandon, { once: true });
  try {
    for (let next = 0; ; ) {
      for (; open.length < TASKS_AHEAD && next < units.length; next += TASK)
        open.push({ first: next, reading: readInThread(units.slice(next, next + TASK), root) });
      const current = open[0];
      if (!current) return;
      for await (const part of current.reading.parts()) {
        for (const read of part) read.unit += current.first;
        yield part;
      }
      open.shift();
    }
  } finally {
    signal.removeEventListener("abort", abandon);
    abandon();
  }
}

/** Imports every trajectory below a path: one item a unit; a trajectory is written whole or not at all. */
export const importExecutor: Executor = {
  kind: "import",
  batch: 256,

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
    const units = context.items.map((item) => unitSchema.parse(JSON.parse(item.payload)));
    try {
      for await (const part of readAll(units, root, signal)) {
        for (const read of part) {
          const [item, unit] = [context.items[read.unit], units[read.unit]];
          if (!item || !unit) throw new Error(`unit ${read.unit} was read, but only ${units.length} were asked for`);
          gatherer.add(item, unit, read);
        }
        if (!gatherer.full) continue;
        gatherer.flush();
        // Lets the heartbeat and a cancel through in a unit of many trajectories.
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (signal.aborted) return;
      }
    } finally {
      // Also when reading failed: what was read before stays, and only the rest is tried again.
      if (!signal.aborted) gatherer.flush();
    }
  },
};
