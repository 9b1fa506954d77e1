import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getBlob } from "@/db/blobs";
import { type Db, openMemoryDb } from "@/db/client";
import { listEnvironments } from "@/db/queries/environmentList";
import { parseCommands } from "@/lib/environment/commands";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { readEnvironment } from "@/lib/environment/read";
import { storeEnvironment } from "@/lib/environment/store";
import { claimJob, enqueue, getJob, reclaimJobs } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { recordCommands } from "@/lib/profile/record";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { SandboxHost } from "@/lib/sandbox/types";
import { loadTrajectory } from "@/lib/trajectory/load";
import { put, scratch } from "@/lib/trajectory/testing";
import { checkEnvironmentsExecutor } from "./checkEnvironments";
import { importEnvironmentsExecutor } from "./importEnvironments";

let db: Db;
let host: SandboxHost;
let able = false;

beforeAll(async () => {
  vi.stubEnv("MISSTEP_HOME", scratch());
  db = openMemoryDb();
  host = await connectSandboxHost();
  able = (await host.drivers()).some((d) => d.driver === "bubblewrap" && d.usable);
  if (!able) console.log("skipped: checks in real sandboxes (bubblewrap cannot be used here)");
  ensureOwnEnvironments(db);
}, 120_000);
afterAll(async () => {
  await host?.close();
  vi.unstubAllEnvs();
});

function task(name: string, files: Record<string, string>): string {
  const root = scratch();
  for (const [file, content] of Object.entries({ "instruction.md": "x", "task.toml": "", ...files }))
    put(root, `${name}/${file}`, content);
  return root;
}

async function run(kind: string, params: unknown, stop = new AbortController().signal) {
  const id = enqueue(db, { kind, title: kind, params, requestedBy: "test" });
  const job = claimJob(db, "w", id);
  if (!job) throw new Error("nothing to claim");
  await runJob(
    db,
    job,
    kind === "import-environments" ? importEnvironmentsExecutor : checkEnvironmentsExecutor,
    "w",
    stop,
  );
  return id;
}
const counts = (id: number) => JSON.parse(getJob(db, id)?.counts ?? "{}");
const checks = (id: number) =>
  db.$client
    .prepare(
      "select environment_id as e, what, driver, status, reward, void_reason as why, log_hash as log from environment_check where job_id = ? order by e, what",
    )
    .all(id) as {
    e: number;
    what: string;
    driver: string;
    status: string;
    reward: number | null;
    why: string | null;
    log: string | null;
  }[];

test("an import job takes in what can be read and lists the rest; a name goes to one directory only", async () => {
  const root = task("good", { "environment/Dockerfile": "FROM ubuntu:24.04\n" });
  put(root, "bad/task.toml", "= 1");
  const id = await run("import-environments", { path: root, dataset: "mine" });
  expect(counts(id)).toEqual({ "environments-added": 1, refused: 1 });
  expect(db.$client.prepare("select key, position from import_file where job_id = ?").all(id)).toEqual([
    { key: path.join("bad", "task.toml"), position: "line 1, column 1" },
  ]);
  const again = await run("import-environments", { path: root, dataset: "mine" });
  expect(counts(again)).toMatchObject({ "environments-present": 1 });
  const named = await run("import-environments", { path: path.join(root, "good"), name: "other" });
  expect(counts(named)).toEqual({ "environments-added": 1 });
});

test("checks are stored with log and outcome; what cannot run is void with its reason, and the job says that it is partial", async () => {
  if (!able) return;
  const root = task("foreign", {
    "environment/Dockerfile": "FROM alpine:3\n",
    "tests/test.sh": "exit 0",
    "solution/solve.sh": "true",
  });
  const directory = path.join(root, "foreign");
  const foreign = storeEnvironment(db, { directory, spec: readEnvironment(directory) }).id;
  const own = listEnvironments(db, {
    filters: { q: "water-plan", kinds: [], datasets: [], states: [] },
    sort: "name",
    direction: "asc",
    limit: 1,
    cursor: null,
    before: false,
  }).rows[0]?.id;
  const id = await run("check-environments", { environments: [own, foreign] });
  expect(getJob(db, id)).toMatchObject({ status: "partial", items_done: 2, items_failed: 2 });
  expect(counts(id)).toEqual({ checks: 4, expected: 2, voidChecks: 2 });
  const rows = checks(id);
  const byKey = Object.fromEntries(rows.map((r) => [`${r.e}:${r.what}`, r]));
  expect(byKey[`${own}:solution`]).toMatchObject({ status: "done", reward: 1, driver: "bubblewrap" });
  expect(byKey[`${own}:nothing`]).toMatchObject({ status: "done", reward: 0 });
  expect(byKey[`${foreign}:solution`]).toMatchObject({
    status: "void",
    reward: null,
    why: expect.stringMatching(/alpine:3 is not there/),
  });
  const log = byKey[`${own}:nothing`]?.log;
  expect(log && getBlob(db, log).toString()).toMatch(/failed: north has 25 minutes/);
});

test("a stopped check leaves nothing behind and is done by the next worker, once", async () => {
  if (!able) return;
  const root = task("slow", {
    "environment/Dockerfile": "FROM debian:12\n",
    "tests/test.sh": "test -e /slow && sleep 60; echo 0 > /logs/verifier/reward.txt",
    "solution/solve.sh": "sleep 60",
  });
  const directory = path.join(root, "slow");
  const slow = storeEnvironment(db, { directory, spec: readEnvironment(directory) }).id;
  const stop = new AbortController();
  const stopping = vi.waitFor(
    () =>
      expect(
        db.$client.prepare("select count(*) from environment_check where environment_id = ?").pluck().get(slow),
      ).toBe(1),
    { timeout: 20_000 },
  );
  const running = run("check-environments", { environments: [slow] }, stop.signal);
  await stopping;
  stop.abort();
  const id = await running;
  expect(checks(id).map((c) => c.what)).toEqual(["nothing"]);
  db.$client.prepare("update environment set spec = json_set(spec, '$.agentTimeoutSec', 1) where id = ?").run(slow);
  reclaimJobs(db, true);
  const job = claimJob(db, "w2", id);
  if (!job) throw new Error("the stopped job is not there to be claimed");
  await runJob(db, job, checkEnvironmentsExecutor, "w2", new AbortController().signal);
  expect(checks(id).map((c) => c.what)).toEqual(["nothing", "solution"]);
});

test("recorded commands become a trajectory of the environment, each observation as a policy sees it", async () => {
  if (!able) return;
  const commands = parseCommands(
    "# look\ncd etc && export A='x y'\npwd; echo \"$A\" >&2; false\ntrue\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\nls\n",
    "c.txt",
    { thinking: true },
  );
  const id = await recordCommands(db, host, "water-plan", commands, { name: "by hand", test: true });
  const t = loadTrajectory(db, id);
  expect(t).toMatchObject({
    format: "misstep",
    agent: "recorded",
    name: "by hand",
    task: "water-plan",
    dataset: "misstep",
    outcome: "failed",
    reward: 0,
    exitStatus: "Submitted",
  });
  const steps = t?.steps.filter((s) => s.kind === "agent") ?? [];
  expect(
    steps.map((s) => [s.thinking, s.call?.command, s.observations[0]?.content, s.observations[0]?.exitCode]),
  ).toEqual([
    ["look", "cd etc && export A='x y'", "(no output)\n\n(exit_code=0)", 0],
    [null, 'pwd; echo "$A" >&2; false', "/app/etc\n\nx y\n\n\n(exit_code=1)", 1],
    [null, "true", "(no output)\n\n(exit_code=0)", 0],
    [null, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n\n\n(exit_code=0)", 0],
  ]);
  expect(t?.warnings.map((w) => w.message).join()).toMatch(/after the submission: 1 of 5 commands/);
  const row = db.$client
    .prepare("select environment_id as e, rules_version as rules from trajectory where id = ?")
    .get(id);
  expect(row).toMatchObject({ rules: expect.any(String) });
  const again = await recordCommands(db, host, "water-plan", commands);
  expect(again).not.toBe(id);
  expect(loadTrajectory(db, again)?.outcome).toBe("unknown");
});
