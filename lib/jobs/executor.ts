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
  /** Aborted on cancel, on an orderly stop and on a lost lease. Check it between pieces of work. */
  signal: AbortSignal;
  log(level: "info" | "warn" | "error", message: string): void;
}

export interface ItemContext extends JobContext {
  item: ItemRow;
  /**
   * Runs `effect` in a transaction together with the progress of this item: `delta` is added to the job's counts.
   * A killed worker loses nothing that was committed and counts nothing twice.
   */
  commit<T>(effect: () => { value: T; delta: Counts }): T;
}

/** What an item came to. `failed` items make the job end as `partial`. */
export type ItemOutcome = { status: "done" } | { status: "failed"; error: string };

/** A kind of job: lists its items, then runs each. Both may be called again after a crash and must come to the same. */
export interface Executor {
  kind: string;
  /** Yields batches of items in a deterministic order; `effect` runs in the transaction that adds them. */
  list(context: JobContext): AsyncIterable<{ items: NewItem[]; effect?: () => Counts }>;
  run(context: ItemContext): Promise<ItemOutcome>;
  /** Called once when all items are through. */
  finish?(context: JobContext): Promise<void>;
}
