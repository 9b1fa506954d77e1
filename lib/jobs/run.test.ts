import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { getJobView } from "@/db/queries/jobs";
import { BudgetReached } from "@/lib/model/chat/types";
import type { Executor, ItemRow, ItemsContext } from "./executor";
import {
  cancelJob,
  claimJob,
  enqueue,
  getJob,
  type JobRow,
  MAX_CRASHES,
  pauseJob,
  reclaimJobs,
  resumeJob,
  retryJob,
} from "./queue";
import { runJob } from "./run";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  db.$client.exec("create table effect (item text not null)");
});
afterEach(() => db.$client.close());

const never = new AbortController().signal;
const newJob = () => enqueue(db, { kind: "toy", title: "Toy", params: {}, requestedBy: "test" });
const effects = () => db.$client.prepare("select item from effect order by rowid").pluck().all();
const counts = (id: number) => JSON.parse(getJob(db, id)?.counts ?? "{}");

function claim(id: number, owner = "w1"): JobRow {
  const job = claimJob(db, owner, id);
  if (!job) throw new Error("nothing to claim");
  return job;
}

const write = (context: ItemsContext, item: ItemRow) =>
  context.commit(item, () => {
    db.$client.prepare("insert into effect values (?)").run(item.key);
    return { written: 1 };
  });

type ItemRun = (context: ItemsContext, item: ItemRow) => Promise<void>;

function toy(run: ItemRun, batch = 1): Executor {
  return {
    kind: "toy",
    batch,
    async *list() {
      yield { items: ["a", "b", "c"].map((key) => ({ key, payload: {} })) };
    },
    async run(context) {
      for (const item of context.items) {
        await run(context, item);
        context.end(item, { status: "done" });
      }
    },
  };
}

const writer = toy(async (context, item) => write(context, item));

test("a job runs every item once and ends as done with its counts", async () => {
  const id = newJob();
  await runJob(db, claim(id), writer, "w1", never);
  expect(effects()).toEqual(["a", "b", "c"]);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_total: 3, items_done: 3, items_failed: 0, error: null });
  expect(counts(id)).toEqual({ written: 3 });
});

test("a failing item does not stop the others; retry does only what failed", async () => {
  const id = newJob();
  let broken = true;
  const flaky = toy(async (context, item) => {
    if (item.key === "b" && broken) throw new Error("disk full");
    write(context, item);
  });
  await runJob(db, claim(id), flaky, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "partial", items_done: 2, items_failed: 1 });
  expect(db.$client.prepare("select message from job_event where level = 'error'").pluck().all()).toEqual([
    "b: disk full",
  ]);
  broken = false;
  expect(retryJob(db, id, "test")).toEqual({ ok: true });
  await runJob(db, claim(id), flaky, "w1", never);
  expect(effects()).toEqual(["a", "c", "b"]);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 3, items_failed: 0 });
});

test("a worker that died inside an item loses and doubles nothing in the counts", async () => {
  const id = newJob();
  const gone = new AbortController();
  const hanging = toy((context, item) => {
    write(context, item);
    return new Promise((_, reject) => context.signal.addEventListener("abort", () => reject(new Error("killed"))));
  });
  const dead = runJob(db, claim(id), hanging, "w1", gone.signal);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(counts(id)).toEqual({ written: 1 });
  expect(reclaimJobs(db, true)).toBe(1);
  db.$client.exec("delete from effect");
  await runJob(db, claim(id, "w2"), writer, "w2", never);
  gone.abort();
  await dead;
  expect(effects()).toEqual(["a", "b", "c"]);
  expect(counts(id)).toEqual({ written: 3 });
  expect(getJob(db, id)).toMatchObject({ status: "done", items_total: 3, items_done: 3, crashes: 0 });
});

test("in a batch written together, only the item at fault fails and nothing is written twice", async () => {
  const id = newJob();
  const batch: Executor = {
    ...toy(async () => undefined, 3),
    async run(context) {
      context.together(() => {
        for (const item of context.items) {
          write(context, item);
          if (item.key === "b") throw new Error("bad b");
          context.end(item, { status: "done" });
        }
      });
    },
  };
  await runJob(db, claim(id), batch, "w1", never);
  expect(effects()).toEqual(["a", "c"]);
  expect(counts(id)).toEqual({ written: 2 });
  expect(getJob(db, id)).toMatchObject({ status: "partial", items_done: 2, items_failed: 1 });
});

test("an effect and its progress are one transaction", async () => {
  const id = newJob();
  const half = toy(async (context, item) => {
    context.commit(item, () => {
      db.$client.prepare("insert into effect values ('x')").run();
      throw new Error("after the write");
    });
  });
  await runJob(db, claim(id), half, "w1", never);
  expect(effects()).toEqual([]);
  expect(counts(id)).toEqual({});
});

test("cancel stops after the item in flight and keeps what was finished", async () => {
  const id = newJob();
  const slow = toy(async (context, item) => {
    write(context, item);
    cancelJob(db, id, "test");
    await new Promise((resolve) => setTimeout(resolve, 1500));
  });
  await runJob(db, claim(id), slow, "w1", never);
  expect(getJob(db, id)?.status).toBe("cancelled");
  expect(effects()).toEqual(["a"]);
});

test("a budget that is used up pauses the job: what ended stays, the rest is done after resume", async () => {
  const id = newJob();
  let budget = 1;
  const spending = toy(async (context, item) => {
    if (budget-- <= 0) throw new BudgetReached("the budget of 1 call is used up");
    write(context, item);
  }, 3);
  await runJob(db, claim(id), spending, "w1", never);
  expect(getJob(db, id)).toMatchObject({
    status: "paused",
    error: "the budget of 1 call is used up",
    items_done: 1,
    items_failed: 0,
    lease_owner: null,
    finished_at: null,
  });
  expect(claimJob(db, "w1", id)).toBeUndefined();
  expect(retryJob(db, id, "test").ok).toBe(false);
  budget = 9;
  expect(resumeJob(db, id, "test")).toEqual({ ok: true });
  await runJob(db, claim(id), spending, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "done", error: null, items_done: 3 });
  expect(effects()).toEqual(["a", "b", "c"]);
  expect(counts(id)).toEqual({ written: 3 });
});

test("a job that is stopped before it listed anything lists it once, with what the listing counts", async () => {
  const id = newJob();
  const executor: Executor = {
    ...toy(async (context, item) => write(context, item)),
    async *list() {
      yield { items: [{ key: "a", payload: {} }], effect: () => ({ listed: 1 }) };
    },
  };
  const stopped = new AbortController();
  stopped.abort();
  await runJob(db, claim(id), executor, "w1", stopped.signal);
  await runJob(db, claim(id), executor, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_total: 1, items_done: 1 });
  expect(counts(id)).toEqual({ listed: 1, written: 1 });
});

test("pause stops after the item in flight; resume does the rest", async () => {
  const id = newJob();
  let first = true;
  const slow = toy(async (context, item) => {
    write(context, item);
    if (!first) return;
    first = false;
    expect(pauseJob(db, id, "test")).toEqual({ ok: true });
    expect(pauseJob(db, id, "test").ok).toBe(false);
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  });
  await runJob(db, claim(id), slow, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "paused", error: null, cancel_requested: 0, items_done: 1 });
  expect(resumeJob(db, id, "test")).toEqual({ ok: true });
  expect(resumeJob(db, id, "test").ok).toBe(false);
  await runJob(db, claim(id), slow, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 3 });
  expect(effects()).toEqual(["a", "b", "c"]);
});

test("a queued job is paused at once, a paused one is cancelled at once, a cancel beats a pause", async () => {
  const id = newJob();
  expect(pauseJob(db, id, "test")).toEqual({ ok: true });
  expect(claimJob(db, "w1", id)).toBeUndefined();
  expect(cancelJob(db, id, "test")).toEqual({ ok: true });
  expect(getJob(db, id)?.status).toBe("cancelled");
  expect(resumeJob(db, id, "test").ok).toBe(false);

  const other = newJob();
  const slow = toy(async (context) => {
    pauseJob(db, other, "test");
    expect(cancelJob(db, other, "test")).toEqual({ ok: true });
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
  });
  await runJob(db, claim(other), slow, "w1", never);
  expect(getJob(db, other)?.status).toBe("cancelled");
});

test("an orderly stop gives the job back and counts no crash", async () => {
  const id = newJob();
  const stop = new AbortController();
  const stopping = toy(async (context, item) => {
    write(context, item);
    stop.abort();
  });
  await runJob(db, claim(id), stopping, "w1", stop.signal);
  expect(getJob(db, id)).toMatchObject({ status: "queued", crashes: 0, lease_owner: null });
});

test("a job that only kills its worker fails in the end instead of looping", () => {
  const id = newJob();
  for (let i = 1; i < MAX_CRASHES; i++) {
    claim(id);
    reclaimJobs(db, true);
    expect(getJob(db, id)).toMatchObject({ status: "queued", crashes: i });
  }
  claim(id);
  reclaimJobs(db, true);
  expect(getJob(db, id)?.status).toBe("failed");
  expect(getJob(db, id)?.error).toContain("worker died");
});

test("two workers never get the same job, and a living lease is not taken", () => {
  const id = newJob();
  claim(id);
  expect(claimJob(db, "w2", id)).toBeUndefined();
  expect(reclaimJobs(db, false)).toBe(0);
});

test("a queued job is cancelled at once; an ended one cannot be cancelled, a done one not retried", async () => {
  const id = newJob();
  expect(cancelJob(db, id, "test")).toEqual({ ok: true });
  expect(cancelJob(db, id, "test").ok).toBe(false);
  const other = newJob();
  await runJob(db, claim(other), writer, "w1", never);
  expect(retryJob(db, other, "test").ok).toBe(false);
});

test("a full disk fails the job, not its items, and a retry does the rest", async () => {
  const id = newJob();
  let full = true;
  const filling = toy(async (context, item) => {
    if (item.key !== "a" && full) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    write(context, item);
  }, 3);
  await runJob(db, claim(id), filling, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "failed", items_failed: 0 });
  expect(getJob(db, id)?.error).toContain("Free some space");
  full = false;
  retryJob(db, id, "test");
  await runJob(db, claim(id), filling, "w1", never);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 3, items_failed: 0 });
  expect([...new Set(effects())]).toEqual(["a", "b", "c"]);
});

test("a queued job names what it waits for: the training that runs, or the jobs that fill the worker's places", () => {
  const add = (kind: string) => enqueue(db, { kind, title: kind, params: {}, requestedBy: "test" });
  const waits = (id: number) => getJobView(db, id)?.waitsFor.map((other) => other.id);
  const first = add("train");
  const second = add("train");
  expect(waits(second)).toEqual([]);
  claim(first);
  expect(waits(first)).toEqual([]);
  expect(waits(second)).toEqual([first]);
  expect(claimJob(db, "w1", second)).toBeUndefined();
  const scan = add("scan");
  expect(waits(scan)).toEqual([]);
  claim(scan);
  expect(waits(add("scan"))).toEqual([first, scan]);
  expect(waits(second)).toEqual([first]);
});
