import "server-only";
import type { Db } from "@/db/client";
import type { JobRow } from "./queue";

/** A unit of a job: `key` is unique inside the job, `payload` is JSON. */
export interface NewItem {
  key: string;
  payload: unknown;
}

export interface ItemRow {
  id: number;
  key: string;
  payload: string;
  attempts: number;
  result: string | null;
}

/** Numbers shown while and after a job runs, for example { imported: 3, refused: 1 }. */
export type Counts = Record<string, number>;

/** What an executor may do while it runs. All methods are short synchronous transactions. */
export interface JobContext {
  db: Db;
  job: JobRow;
  /** Aborted on cancel and pause, on an orderly stop and on a lost lease. Check it between pieces of work. */
  signal: AbortSignal;
  log(level: "info" | "warn" | "error", message: string): void;
}

/** What an item came to. `failed` items make the job end as `partial`. */
export type ItemOutcome = { status: "done" } | { status: "failed"; error: string };

export interface ItemsContext extends JobContext {
  /** The items of this call, in order: at most `executor.batch`. */
  items: ItemRow[];
  /**
   * Runs `effect` in a transaction together with the progress of its item: what it returns is added to the job's
   * counts. A killed worker loses nothing that was committed and counts nothing twice.
   */
  commit(item: ItemRow, effect: () => Counts): void;
  /** Marks an item as through. An item that is never ended is run again by the next worker. */
  end(item: ItemRow, outcome: ItemOutcome): void;
  /** Runs all commits and ends inside `write` as one transaction. */
  together(write: () => void): void;
}

/** A kind of job: lists its items, then runs them. Both may be called again after a crash and must come to the same. */
export interface Executor {
  kind: string;
  /** Items given to one call of `run`; default 1. */
  batch?: number;
  /** Yields batches of items in a deterministic order; `effect` runs in the transaction that adds them. */
  list(context: JobContext): AsyncIterable<{ items: NewItem[]; effect?: () => Counts }>;
  /** Rejects with BudgetReached, uncaught, to pause the job. */
  run(context: ItemsContext): Promise<void>;
  /** Called once when all items are through. */
  finish?(context: JobContext): Promise<void>;
}

/** The job cannot go on, whichever item it is at: it fails, what was finished stays, and a retry goes on with what is open. */
export class JobBroken extends Error {
  override name = "JobBroken";
}
