import { afterAll, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { waitingForIndex } from "@/db/queries/search";
import type { Executor } from "./executor";
import { executors } from "./executors";
import { indexWaitText } from "./indexWait";
import { enqueue, getJob, pauseJob } from "./queue";
import { work, workOn } from "./worker";

/** Stores a trajectory an item, as trainings and measurements do; "b" of a broken job fails. */
const storing: Executor = {
  kind: "storing",
  async *list() {
    yield { items: ["a", "b"].map((key) => ({ key, payload: {} })) };
  },
  async run(context) {
    const { db, job } = context;
    for (const item of context.items)
      context.commit(item, () => {
        if (item.key === "b" && job.params.includes("broken")) throw new Error("broken");
        store(db, `${job.id}-${item.key}`);
        return { stored: 1 };
      });
    for (const item of context.items) context.end(item, { status: "done" });
  },
};

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  executors.storing = storing;
});
afterAll(() => {
  delete executors.storing;
});

function store(into: Db, key: string): void {
  const { lastInsertRowid: id } = into.$client
    .prepare(
      "insert into trajectory (study_id, format, outcome, steps, entries, content_hash, source_key) values (1, 'misstep', 'unknown', 0, 0, ?, ?)",
    )
    .run(key, key);
  into.$client.prepare("insert into index_pending (trajectory_id) values (?)").run(id);
}

const queued = (params: object = {}) => enqueue(db, { kind: "storing", title: "t", params, requestedBy: "somebody" });
const jobs = () => db.$client.prepare("select kind, status, requested_by as by from job order by id").all() as object[];
const never = new AbortController().signal;

/** A worker until nothing is open, then a moment longer. */
async function workThrough(): Promise<void> {
  const stop = new AbortController();
  const working = work(db, "w", stop.signal);
  const open = db.$client.prepare("select 1 from job where status in ('queued', 'running')");
  while (open.get()) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 50));
  stop.abort();
  await working;
}

test("jobs that stored trajectories are followed by one index job, which leaves nothing waiting", async () => {
  const ids = [queued(), queued({ broken: true }), queued()];
  await workThrough();
  expect(ids.map((id) => getJob(db, id)?.status)).toEqual(["done", "partial", "done"]);
  expect(waitingForIndex(db)).toEqual({ trajectories: 0, job: null, followed: false });
  const index = jobs().slice(3);
  expect(index.length).toBeLessThan(3);
  expect(index[0]).toEqual({ kind: "index", status: "done", by: "somebody" });
});

test("one index job is queued, however many jobs end before it; none where nothing waits", async () => {
  for (const id of [queued(), queued()]) await workOn(db, id, "w", never);
  expect(jobs().slice(2)).toEqual([{ kind: "index", status: "queued", by: "somebody" }]);
  expect(waitingForIndex(db)).toEqual({ trajectories: 4, job: { id: 3, status: "queued" }, followed: false });
  expect(indexWaitText(waitingForIndex(db))).toBe(
    "4 new trajectories are not searched yet: their texts wait for job 3, which is queued.",
  );
  await workOn(db, 3, "w", never);
  expect(waitingForIndex(db)).toEqual({ trajectories: 0, job: null, followed: false });
  await workOn(db, enqueue(db, { kind: "scan", title: "s", params: {}, requestedBy: "x" }), "w", never);
  expect(jobs().map((job) => (job as { kind: string }).kind)).toEqual(["storing", "storing", "index", "scan"]);
});

test("what a worker that died left is taken in by the next; an index job that failed or is paused is named", async () => {
  store(db, "left");
  expect(waitingForIndex(db)).toEqual({ trajectories: 1, job: null, followed: false });
  expect(indexWaitText(waitingForIndex(db))).toMatch(/^1 new trajectory is .*none is queued/);
  await workThrough();
  expect(jobs()).toEqual([{ kind: "index", status: "done", by: "worker" }]);
  store(db, "later");
  queued();
  expect(waitingForIndex(db)).toEqual({ trajectories: 1, job: null, followed: true });
  const index = enqueue(db, { kind: "index", title: "i", params: {}, requestedBy: "x" });
  pauseJob(db, index, "x");
  expect(waitingForIndex(db).job).toEqual({ id: index, status: "paused" });
});

test("an index job that fails is not followed by another", async () => {
  store(db, "a");
  const { index } = executors;
  executors.index = {
    ...(index as Executor),
    async *list() {
      yield* [];
      throw new Error("disk full");
    },
  };
  try {
    await workThrough();
  } finally {
    executors.index = index as Executor;
  }
  expect(jobs()).toEqual([{ kind: "index", status: "failed", by: "worker" }]);
});
