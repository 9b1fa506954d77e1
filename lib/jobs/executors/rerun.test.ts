import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { cancelJob, claimJob, enqueue, getJob, reclaimJobs, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { prefixOfStep } from "@/lib/prefix/sample";
import { recordedStep, recordedTrajectory, type Script, scriptedSandbox } from "@/lib/prefix/testing";
import { SandboxFailure } from "@/lib/sandbox/types";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { type Ground, makeRerunExecutor, type RerunParams } from "./rerun";

let db: Db;
let prefixes: number[] = [];
const never = new AbortController().signal;
const echo: Script = (command) => ({ output: command.replace("echo ", "") });

beforeEach(() => {
  db = openMemoryDb();
  prefixes = [];
  for (let n = 0; n < 4; n++) {
    const steps = [
      recordedStep(`echo a${n}`, `a${n}`),
      recordedStep("date", "18:30:08"),
      recordedStep("echo end", "end"),
    ];
    const t = prepareTrajectory(recordedTrajectory(steps, { task: `task-${n}` }), `hash-${n}`);
    const { id } = storeTrajectory(db, t, { studyId: 1, jobId: null, sourceKey: `s${n}` });
    prefixes.push(prefixOfStep(db, stepId(id, n < 2 ? 1 : 2)));
  }
  db.$client.exec("update environment set digest = 'd', directory = 'x'");
});
afterEach(() => db.$client.close());

/** A ground of scripted sandboxes that counts what is open, and how many run commands at once. */
function ground(script: Script) {
  const state = { open: 0, most: 0, opened: 0, closed: 0, working: 0, mostWorking: 0 };
  const connect = async (): Promise<Ground> => ({
    async open() {
      state.opened++;
      state.most = Math.max(state.most, ++state.open);
      const sandbox = scriptedSandbox(script);
      const dispose = sandbox.dispose.bind(sandbox);
      const exec = sandbox.exec.bind(sandbox);
      sandbox.exec = async (command) => {
        state.mostWorking = Math.max(state.mostWorking, ++state.working);
        try {
          return await exec(command);
        } finally {
          state.working--;
        }
      };
      sandbox.dispose = async () => {
        if (sandbox.disposed === 0) state.open--;
        await dispose();
      };
      return sandbox;
    },
    async close() {
      state.closed++;
    },
  });
  return { state, connect };
}

const queueJob = (params: Partial<RerunParams> = {}) =>
  enqueue(db, { kind: "rerun", title: "Rerun", params, requestedBy: "test" });
const run = async (id: number, connect: () => Promise<Ground>, stop = never) => {
  const job = claimJob(db, "w", id);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, makeRerunExecutor(connect, 2), "w", stop);
};
const statuses = () => db.$client.prepare("select status from prefix order by id").pluck().all();
const rerunKeys = () =>
  db.$client.prepare("select prefix_id || '/' || repeat from rerun order by 1").pluck().all() as string[];

test("runs every repeat of every prefix in a sandbox of its own, two running commands at a time, and sums up", async () => {
  const { state, connect } = ground((c) => (c === "date" ? { output: "18:31:00" } : echo(c)));
  const id = queueJob();
  await run(id, connect);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 8 });
  expect(JSON.parse(getJob(db, id)?.counts ?? "")).toEqual({ reruns: 8, exact: 4, different: 4, commands: 12 });
  expect(statuses()).toEqual(["kept", "kept", "different", "different"]);
  expect(state).toMatchObject({ open: 0, most: 4, opened: 8, working: 0, mostWorking: 2 });
});

test("only what was asked for is rerun", async () => {
  const { connect } = ground(echo);
  await run(queueJob({ prefixes: [prefixes[1]!], repeats: 3 }), connect);
  expect(rerunKeys()).toEqual([1, 2, 3].map((n) => `${prefixes[1]}/${n}`));
  await run(queueJob({ status: "pending", repeats: 1 }), connect);
  expect(statuses()).not.toContain("pending");
  expect(rerunKeys()).toHaveLength(6);
});

test("an environment without files is void with a plain reason, and the job is done", async () => {
  db.$client.exec("update environment set digest = null where name = 'task-0'");
  const { connect } = ground(echo);
  const id = queueJob({ prefixes: [prefixes[0]!] });
  await run(id, connect);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_failed: 0 });
  expect(statuses()[0]).toBe("void");
  expect(db.$client.prepare("select void_reason from rerun").pluck().get()).toMatch(
    /environment not available: no files of "task-0"/,
  );
});

test("the files of the only other environment of the same name are used", async () => {
  db.$client.exec("update environment set digest = null where name = 'task-0'");
  db.$client.exec("insert into environment (name, dataset, digest) values ('task-0', 'elsewhere', 'd')");
  const { connect } = ground(echo);
  await run(queueJob({ prefixes: [prefixes[0]!] }), connect);
  expect(statuses()[0]).toBe("kept");
});

test("cancelled: in-flight sandboxes are disposed, what ended stays, nothing half-done is stored", async () => {
  const id = queueJob();
  let seen = 0;
  const stop = new AbortController();
  const { state, connect } = ground((c) => {
    if (++seen === 4) stop.abort();
    return echo(c);
  });
  await run(id, connect, stop.signal);
  expect(state.open).toBe(0);
  expect(state.closed).toBe(1);
  const before = rerunKeys();
  expect(before.length).toBeLessThan(8);
  expect(getJob(db, id)).toMatchObject({ status: "queued", items_done: before.length });
  const { connect: again } = ground(echo);
  await run(id, again);
  expect(rerunKeys()).toHaveLength(8);
  expect(new Set(rerunKeys()).size).toBe(8);
  expect(JSON.parse(getJob(db, id)?.counts ?? "")).toMatchObject({ reruns: 8 });
  expect(cancelJob(db, id, "t").ok).toBe(false);
});

test("a worker that dies loses nothing that was stored and doubles nothing", async () => {
  const id = queueJob();
  const { connect } = ground(echo);
  const job = claimJob(db, "w", id)!;
  // The worker "dies" when its third rerun would be stored: from then on its writes fail.
  let stored = 0;
  const executor = makeRerunExecutor(connect, 2);
  const dying = {
    ...executor,
    run: (c: Parameters<typeof executor.run>[0]) =>
      executor.run({
        ...c,
        together: (w) => {
          if (++stored > 3) throw new SandboxFailure("host-gone", "killed");
          c.together(w);
        },
      }),
  };
  await runJob(db, job, dying, "w", never);
  const before = rerunKeys();
  expect(before).toHaveLength(3);
  expect(getJob(db, id)).toMatchObject({ status: "partial", items_done: 3 });
  reclaimJobs(db, true);
  retryJob(db, id, "t");
  await run(id, connect);
  expect(rerunKeys()).toHaveLength(8);
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 8 });
});

test("without a sandbox host the items fail and can be done again; no verdict is made up", async () => {
  const id = queueJob({ prefixes: [prefixes[0]!], repeats: 1 });
  await run(id, async () => {
    throw new SandboxFailure("cannot-start", "the sandbox host is not built");
  });
  expect(getJob(db, id)).toMatchObject({ status: "partial", items_failed: 1 });
  expect(rerunKeys()).toEqual([]);
  expect(statuses()[0]).toBe("pending");
});
