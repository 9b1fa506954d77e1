import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import type { Executor } from "@/lib/jobs/executor";
import { enqueue, getJob, type JobRow } from "@/lib/jobs/queue";
import { indexTrajectories } from "@/lib/trajectory/textIndex";

const rangeSchema = z.object({ from: z.number(), to: z.number() });
/** Trajectories of one item: few transactions, as each writes a segment of the index. */
const ITEM = 200;

/** Puts new texts into the full-text index. Jobs that store trajectories leave it to this one: indexing costs more than storing. */
export const indexExecutor: Executor = {
  kind: "index",

  async *list({ db }) {
    const ids = db.$client
      .prepare("select trajectory_id from index_pending order by trajectory_id")
      .pluck()
      .all() as number[];
    const items = [];
    for (let i = 0; i < ids.length; i += ITEM) {
      const [from, to] = [ids[i], ids[Math.min(i + ITEM, ids.length) - 1]];
      items.push({ key: `${from}-${to}`, payload: { from, to } });
    }
    yield { items };
  },

  async run(context) {
    const { db } = context;
    for (const item of context.items) {
      const { from, to } = rangeSchema.parse(JSON.parse(item.payload));
      context.commit(item, () => {
        const ids = db.$client
          .prepare("select trajectory_id from index_pending where trajectory_id between ? and ? order by trajectory_id")
          .pluck()
          .all(from, to) as number[];
        return { indexed: indexTrajectories(db, ids) };
      });
      context.end(item, { status: "done" });
    }
  },

  /** Texts wait after every job that added something: then tables may have grown by orders, and the planner is told. */
  async finish({ db }) {
    db.$client.pragma("analysis_limit = 1000");
    db.$client.pragma("optimize = 0x10002");
  },
};

/** Queues an index job when texts wait for one and none is queued already. Returns its id, or null. */
export function requestIndexing(db: Db, requestedBy: string): number | null {
  const s = db.$client;
  return s
    .transaction(() => {
      const waits = s.prepare("select 1 from index_pending limit 1").get();
      const queued = s.prepare("select 1 from job where kind = 'index' and status = 'queued' limit 1").get();
      return waits && !queued
        ? enqueue(db, { kind: "index", title: "Index new texts for search", params: {}, requestedBy })
        : null;
    })
    .immediate();
}

/**
 * Queues an index job after a job that has ended, or waits for a person, and left texts for it. One serves all that end
 * before it starts; while one runs, its own end looks again. One that failed is not followed: it would fail again.
 */
export function followWithIndexing(db: Db, { id, kind }: Pick<JobRow, "id" | "kind">): void {
  const job = getJob(db, id);
  if (!job || job.status === "queued" || job.status === "running") return;
  if (kind === "index" && job.status !== "done") return;
  if (db.$client.prepare("select 1 from job where kind = 'index' and status = 'running' limit 1").get()) return;
  requestIndexing(db, job.requested_by);
}

/** Queues an index job for texts that a worker left which died, unless a job is open: its end will. */
export function indexWhatWasLeft(db: Db): void {
  if (db.$client.prepare("select 1 from job where status in ('queued', 'running') limit 1").get()) return;
  requestIndexing(db, "worker");
}
