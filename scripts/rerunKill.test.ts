import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { enqueue, getJob } from "@/lib/jobs/queue";
import { prefixOfStep } from "@/lib/prefix/sample";
import { seeded } from "./bench/random";

/** Kills in the test run; set MISSTEP_KILLS for a longer one. */
const KILLS = Number(process.env.MISSTEP_KILLS ?? 2);
const root = path.resolve(import.meta.dirname, "..");
/** Seconds that no other process sleeps: what is left of it is ours. */
const SLEEP = 38_113;
const COMMANDS = [
  "ls -R /app",
  `(sleep ${SLEEP} &) ; echo started`,
  "seq 3",
  "sleep 0.1; echo slept",
  "false",
  "echo end",
];

let dir: string;
let db: Db | null = null;
let prefixes: number[] = [];
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-rerun-kill-"));
  const file = path.join(dir, "commands.json");
  fs.writeFileSync(file, JSON.stringify(COMMANDS));
  const recorded = misstep("record", "count-refusals", "--commands", file, "--json");
  if (/cannot run here/.test(recorded.stderr)) {
    process.stdout.write(`kills during reruns: skipped, ${recorded.stderr.trim()}\n`);
    return;
  }
  if (recorded.status !== 0) throw new Error(recorded.stderr);
  db = openDb(path.join(dir, "misstep.db"));
  const id = db.$client.prepare("select max(id) from trajectory").pluck().get() as number;
  prefixes = COMMANDS.slice(1).map((_, i) => prefixOfStep(db as Db, stepId(id, i + 2)));
}, 120_000);
afterAll(() => {
  db?.$client.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

const env = () => ({ ...process.env, NODE_OPTIONS: "", MISSTEP_HOME: dir, MISSTEP_ROOT: root });
const misstep = (...args: string[]) =>
  spawnSync(process.execPath, ["scripts/misstep.mjs", ...args], { cwd: root, env: env(), encoding: "utf8" });
const startWorker = (): ChildProcess =>
  spawn(process.execPath, ["dist/worker.mjs"], { cwd: root, env: env(), stdio: ["ignore", "ignore", "ignore", "ipc"] });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Processes and mounts that belong to this home. */
const left = (): string[] =>
  [
    ...execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n"),
    ...fs.readFileSync("/proc/self/mounts", "utf8").split("\n"),
  ].filter((line) => line.includes(path.basename(dir)) || line.includes(`sleep ${SLEEP}`));

test(`kill -9 of the worker at ${KILLS} random moments loses and doubles no rerun, and leaves nothing behind`, async () => {
  if (!db) return;
  const index = db;
  const repeats = 6;
  const jobId = enqueue(index, { kind: "rerun", title: "t", params: { prefixes, repeats }, requestedBy: "test" });
  const random = seeded(KILLS);
  const done = () => getJob(index, jobId)?.items_done ?? 0;
  for (let killed = 0; ; killed++) {
    const worker = startWorker();
    const end = new Promise((resolve) => worker.once("exit", resolve));
    const before = done();
    let killAt = Number.POSITIVE_INFINITY;
    while (!getJob(index, jobId)?.finished_at && Date.now() < killAt) {
      if (killed < KILLS && killAt === Number.POSITIVE_INFINITY && done() > before)
        killAt = Date.now() + random() * 400;
      await sleep(10);
    }
    worker.kill("SIGKILL");
    await end;
    if (getJob(index, jobId)?.finished_at) break;
  }
  const all = prefixes.length * repeats;
  expect(getJob(index, jobId)).toMatchObject({ status: "done", items_done: all, items_failed: 0 });
  const count = (sql: string) => index.$client.prepare(sql).pluck().get();
  expect(count("select count(*) from rerun where verdict = 'exact'")).toBe(all);
  expect(count("select count(distinct prefix_id || '/' || repeat) from rerun")).toBe(all);
  expect(count("select count(*) from rerun")).toBe(all);
  expect(JSON.parse(getJob(index, jobId)?.counts ?? "{}")).toMatchObject({ reruns: all, exact: all });
  expect(count("select count(*) from prefix where status = 'kept'")).toBe(prefixes.length);
  for (let i = 0; i < 100 && left().length > 0; i++) await sleep(100);
  expect(left()).toEqual([]);
}, 300_000);
