import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { explain, isMachineFailure } from "@/db/failure";
import { statement } from "@/db/statement";
import { BudgetReached } from "@/lib/model/chat/types";
import {
  type Counts,
  type Executor,
  type ItemOutcome,
  type ItemRow,
  type ItemsContext,
  JobBroken,
  type JobContext,
  type NewItem,
} from "./executor";
import { getJob, type JobRow, LEASE_MS, logJob, releaseJob, renewLease, STOP } from "./queue";

const countsSchema = z.record(z.string(), z.number());

/** Adds `delta` to the job's counts. Inside a transaction. */
function addCounts(db: Db, jobId: number, delta: Counts): void {
  if (Object.keys(delta).length === 0) return;
  const now = countsSchema.parse(
    JSON.parse(
      db.$client
        .prepare<[number], string>("select counts from job where id = ?")
        .pluck()
        .get(jobId) as unknown as string,
    ),
  );
  for (const [key, n] of Object.entries(delta)) now[key] = (now[key] ?? 0) + n;
  db.$client.prepare("update job set counts = ? where id = ?").run(JSON.stringify(now), jobId);
}

const negate = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).map(([k, n]) => [k, -n]));

async function list(executor: Executor, context: JobContext): Promise<void> {
  const { db, job } = context;
  const add = db.$client.prepare("insert or ignore into job_item (job_id, key, payload) values (?, ?, ?)");
  const store = db.$client.transaction((items: NewItem[], effect?: () => Counts) => {
    let added = 0;
    for (const item of items) added += add.run(job.id, item.key, JSON.stringify(item.payload)).changes;
    if (effect) addCounts(db, job.id, effect());
    db.$client.prepare("update job set items_total = items_total + ? where id = ?").run(added, job.id);
  });
  for await (const batch of executor.list(context)) {
    // Before, so that what is listed in one batch is listed once.
    if (context.signal.aborted) return;
    store.immediate(batch.items, batch.effect);
  }
  if (context.signal.aborted) return;
  db.$client.prepare("update job set listed = 1 where id = ?").run(job.id);
}

function itemsContext(context: JobContext, items: ItemRow[], ended: Set<number>): ItemsContext {
  const { db, job } = context;
  const totals = new Map<number, Counts>();
  const saveResult = db.$client.prepare("update job_item set result = ? where id = ?");
  /** What the commits of the open transaction add up to: written once, at its end. */
  let counted: Counts = {};
  let touched = new Set<number>();
  let inside = false;
  const counting = (write: () => void) =>
    db.$client.transaction(() => {
      counted = {};
      touched = new Set();
      write();
      addCounts(db, job.id, counted);
      for (const id of touched) saveResult.run(JSON.stringify(totals.get(id) ?? {}), id);
    });
  // No savepoints inside `together`: the text index writes a segment at each.
  const transaction = (write: () => void) => {
    if (inside) {
      write();
      return;
    }
    counting(write).immediate();
  };
  return {
    ...context,
    items,
    commit(item, effect) {
      transaction(() => {
        const delta = effect();
        const total = totals.get(item.id) ?? {};
        for (const [key, n] of Object.entries(delta)) {
          total[key] = (total[key] ?? 0) + n;
          counted[key] = (counted[key] ?? 0) + n;
        }
        totals.set(item.id, total);
        touched.add(item.id);
      });
    },
    end(item, outcome) {
      transaction(() => {
        endItem(db, job.id, item, outcome);
        ended.add(item.id);
      });
    },
    together(write) {
      const before = new Map([...totals].map(([id, counts]) => [id, { ...counts }]));
      const endedBefore = new Set(ended);
      inside = true;
      try {
        counting(write).immediate();
      } catch (error) {
        // Rolled back: what was counted and ended in memory goes back too.
        totals.clear();
        for (const [id, counts] of before) totals.set(id, counts);
        ended.clear();
        for (const id of endedBefore) ended.add(id);
        throw error;
      } finally {
        inside = false;
      }
    },
  };
}

/** Takes back what an interrupted attempt had counted for these items, and counts the new attempt. */
function beginItems(db: Db, jobId: number, items: ItemRow[]): void {
  const begin = db.$client.prepare("update job_item set attempts = attempts + 1, result = null where id = ?");
  db.$client
    .transaction(() => {
      for (const item of items) {
        if (item.result !== null) addCounts(db, jobId, negate(countsSchema.parse(JSON.parse(item.result))));
        begin.run(item.id);
      }
    })
    .immediate();
}

function endItem(db: Db, jobId: number, item: ItemRow, outcome: ItemOutcome): void {
  const error = outcome.status === "failed" ? outcome.error : null;
  statement(db, "update job_item set status = ?, error = ?, finished_at = ? where id = ?").run(
    outcome.status,
    error,
    Date.now(),
    item.id,
  );
  const column = outcome.status === "done" ? "items_done" : "items_failed";
  statement(db, `update job set ${column} = ${column} + 1, crashes = 0 where id = ?`).run(jobId);
}

function finishJob(
  db: Db,
  job: JobRow,
  owner: string,
  status: "done" | "partial" | "failed" | "cancelled",
  error: string | null,
): void {
  db.$client
    .prepare(
      "update job set status = ?, error = ?, finished_at = ?, lease_owner = null, lease_until = null where id = ? and lease_owner = ?",
    )
    .run(status, error, Date.now(), job.id, owner);
}

/** Leaves a job waiting for a person. `error` says what for; null: it was asked for. */
function holdJob(db: Db, job: JobRow, owner: string, error: string | null): void {
  db.$client
    .prepare(
      "update job set status = 'paused', cancel_requested = 0, error = ?, lease_owner = null, lease_until = null where id = ? and lease_owner = ?",
    )
    .run(error, job.id, owner);
}

/** Lets timers (heartbeat) and signals through between pieces of synchronous work. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs one batch. An error of a batch of several runs its open items again one by one, so that only the culprit fails. */
async function runBatch(executor: Executor, context: JobContext, items: ItemRow[]): Promise<void> {
  const { db, job } = context;
  beginItems(db, job.id, items);
  const ended = new Set<number>();
  const scope = itemsContext(context, items, ended);
  try {
    await executor.run(scope);
  } catch (error) {
    if (context.signal.aborted) return;
    // A full disk is no fault of the item, nor is a budget: the job stops, and later goes on with what is open.
    if (isMachineFailure(error) || error instanceof BudgetReached || error instanceof JobBroken) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (items.length === 1) {
      for (const item of items) {
        context.log("error", `${item.key}: ${message}`);
        scope.end(item, { status: "failed", error: message });
      }
      return;
    }
    const again = db.$client.prepare<[number], ItemRow>(
      "select id, key, payload, attempts, result from job_item where id = ?",
    );
    for (const item of items) {
      const open = ended.has(item.id) ? undefined : again.get(item.id);
      if (open && !context.signal.aborted) await runBatch(executor, context, [open]);
    }
  }
}

async function runItems(executor: Executor, context: JobContext): Promise<void> {
  const { db, job } = context;
  const next = db.$client.prepare<[number, number], ItemRow>(
    "select id, key, payload, attempts, result from job_item where job_id = ? and status = 'queued' order by id limit ?",
  );
  for (;;) {
    await breathe();
    if (context.signal.aborted) return;
    const items = next.all(job.id, executor.batch ?? 1);
    if (items.length === 0) return;
    await runBatch(executor, context, items);
  }
}

/**
 * Runs a claimed job to its end, or until `stop` is aborted (then it is given back to the queue). Lists its items first
 * unless an earlier run did. A budget that is used up pauses it: items in flight stay queued. A failing job does not throw, the failure is in the row and in the log; only an index that
 * cannot be written at all (full disk) does, and the job stays as it was for the next worker.
 */
export async function runJob(db: Db, job: JobRow, executor: Executor, owner: string, stop: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const onStop = () => abort.abort("stop");
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  let broken: unknown;
  const heartbeat = setInterval(() => {
    try {
      const kept = renewLease(db, job.id, owner);
      const asked = getJob(db, job.id)?.cancel_requested;
      if (!kept) abort.abort("lease");
      else if (asked) abort.abort(asked === STOP.pause ? "pause" : "cancel");
    } catch (error) {
      broken = error;
      abort.abort("broken");
    }
  }, LEASE_MS / 15);
  const context: JobContext = {
    db,
    job,
    signal: abort.signal,
    log: (level, message) => logJob(db, job.id, level, message),
  };
  try {
    if (!job.listed) await list(executor, context);
    if (!abort.signal.aborted) await runItems(executor, context);
    if (!abort.signal.aborted) await executor.finish?.(context);
    if (abort.signal.reason === "broken") throw broken;
    if (abort.signal.reason === "cancel") {
      context.log("info", "cancelled on request; what was finished stays");
      finishJob(db, job, owner, "cancelled", null);
    } else if (abort.signal.reason === "pause") {
      context.log("info", "paused on request; what was finished stays");
      holdJob(db, job, owner, null);
    } else if (abort.signal.reason === "stop") releaseJob(db, job.id, owner);
    else if (!abort.signal.aborted)
      finishJob(db, job, owner, getJob(db, job.id)?.items_failed ? "partial" : "done", null);
  } catch (error) {
    const message = explain(error);
    if (error instanceof BudgetReached) {
      // What is still under way beside the item that found out stops too.
      abort.abort("budget");
      context.log("warn", `paused: ${message}`);
      holdJob(db, job, owner, message);
    } else {
      context.log("error", message);
      finishJob(db, job, owner, "failed", message);
    }
  } finally {
    clearInterval(heartbeat);
    stop.removeEventListener("abort", onStop);
  }
}
