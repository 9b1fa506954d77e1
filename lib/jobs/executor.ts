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

/** What a process away from the index has to work with. */
export interface AwayContext {
  /** A snapshot of the index, read only. */
  db: Db;
  job: JobRow;
  signal: AbortSignal;
  /** A folder for what the next process of this job goes on from, when this one dies. */
  folder: string;
  /** Items performed at once; 1 for kinds that go in order. */
  lanes: number;
}

/** Performs items; what it gives back is stored by whoever holds the index. */
export interface Performer {
  /** Resolves with plain data that survives JSON. Rejects with what makes the item fail, or with JobBroken. */
  perform(item: ItemRow): Promise<unknown>;
  /** Called once what an item came to is on disk. */
  kept?(value: unknown): void;
  /** Whether an item was performed by a process before; absent: when what it came to is on disk. */
  isThrough?(item: ItemRow): boolean;
  close(): Promise<void>;
}

/**
 * How a kind of job is done away from its index: items are performed against a snapshot, and the worker stores what comes
 * back by the same code as for a local run.
 */
export interface Away {
  /** One process performs all items, in order, each from what those before it came to. */
  inOrder?: boolean;
  /** Why this job cannot be done away from here; null: it can. */
  refusal(db: Db, job: JobRow): string | null;
  open(context: AwayContext): Promise<Performer>;
  /** Readies what came back for its item; `effect` belongs into the transaction that ends it. */
  receive(context: JobContext, item: ItemRow, value: unknown): { effect: () => Counts; said?: string };
  /** Names of the checkpoints that were made with what came back. */
  made?(value: unknown): string[];
  /** Checkpoints that have to lie where the job is done. */
  checkpoints?(db: Db, job: JobRow): string[];
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
  /** It looks at `job.place` itself. */
  placesItself?: boolean;
  /** Absent: only the worker itself can do it. */
  away?: Away;
}

/** The job cannot go on, whichever item it is at: it fails, what was finished stays, and a retry goes on with what is open. */
export class JobBroken extends Error {
  override name = "JobBroken";
}
