import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { NO_USAGE, type Step, type Trajectory } from "@/lib/trajectory/types";
import { seedBuiltinTypes } from "./builtin";
import { recount } from "./errorSteps";
import { storeHumanLabels } from "./humanLabels";
import { type Finding, RULES_VERSION } from "./rules";
import { scanTrajectory, storeFindings } from "./scan";

const step = (command: string, output: string, exitCode: number): Step => ({
  kind: "agent",
  turn: null,
  actor: null,
  thinking: null,
  message: null,
  call: { id: null, name: "bash", arguments: { command }, command },
  observations: [{ callId: null, content: output, output: null, full: null, exitCode, timedOut: false, error: null }],
  time: null,
  durationMs: null,
  usage: null,
  note: null,
  copied: false,
  source: [],
});

const trajectory = (steps: Step[]): Trajectory => ({
  key: "",
  parentKey: null,
  parentStep: null,
  format: "chat",
  formatVersion: null,
  name: "t",
  task: "task",
  dataset: null,
  model: "model",
  agent: null,
  agentVersion: null,
  attempt: null,
  outcome: "failed",
  reward: 0,
  rewards: {},
  exitStatus: null,
  exception: null,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  usage: NO_USAGE,
  steps,
  labels: [],
  artifacts: [],
  warnings: [],
  source: {},
});

let db: Db;
let id: number;
const findings: Finding[] = [
  { step: 1, misbehavior: "retry-same-cause", reason: "Same again.", commandSeen: "make", evidence: [] },
  { step: 2, misbehavior: "retry-same-cause", reason: "And again.", commandSeen: "make", evidence: [] },
];
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  const steps = [step("make", "error", 2), step("make", "error", 2), step("touch a", "", 0)];
  id = storeTrajectory(db, prepareTrajectory(trajectory(steps), "h"), { studyId: 1, jobId: null, sourceKey: "s" }).id;
  storeFindings(db, id, findings, true);
});
afterEach(() => db.$client.close());

const counts = () => {
  const { all, named, unlabelled } = misbehaviorOverview(db);
  return [all.errorSteps, named.errorSteps, unlabelled.errorSteps];
};
const errorSteps = () => db.$client.prepare("select error_steps from trajectory where id = ?").pluck().get(id);
const reasons = () =>
  db.$client.prepare("select count(*) from reason_fts where reason_fts match 'again'").pluck().get();

test("findings become error steps, labels, counters and searchable reasons", () => {
  expect(counts()).toEqual([2, 2, 0]);
  expect(errorSteps()).toBe(2);
  expect(reasons()).toBe(2);
});

test("a new scan replaces what the rules said and keeps the old rows as history", () => {
  const found = scanTrajectory(db, id);
  expect(found).toBe(1);
  expect(counts()).toEqual([1, 1, 0]);
  expect(errorSteps()).toBe(1);
  const rows = db.$client.prepare("select current, count(*) as n from label group by current order by current").all();
  expect(rows).toEqual([
    { current: 0, n: 2 },
    { current: 1, n: 1 },
  ]);
  expect(db.$client.prepare("select rules_version from trajectory").pluck().get()).toBe(RULES_VERSION);
  expect(reasons()).toBe(0);
});

test("a label of a person survives a scan that finds nothing there, and keeps its step an error step", () => {
  const type = db.$client.prepare("select id from error_type where slug = 'unverified-kill'").pluck().get();
  db.$client.prepare("insert into person (name) values ('P')").run();
  db.$client
    .prepare("insert into label (step_id, error_type_id, source, person_id) values (?, ?, 'person', 1)")
    .run(id * SPAN + 2, type);
  recount(db, id);
  scanTrajectory(db, id);
  expect(db.$client.prepare("select current from label where source = 'person'").pluck().all()).toEqual([1]);
  expect(counts()).toEqual([2, 2, 0]);
});

test("labels that came with a data set are kept apart from the eight, and are stored once", () => {
  const labels = [{ step: 0, dataset: "set", category: "Wrong plan", reason: "why", root: true }];
  storeHumanLabels(db, id, labels);
  storeHumanLabels(db, id, labels);
  expect(counts()).toEqual([3, 2, 1]);
  expect(db.$client.prepare("select count(*) from label where source = 'dataset'").pluck().get()).toBe(1);
});

test("content that was superseded and comes back is the present reading again, counted once, with its labels", () => {
  const store = (commands: string[], hash: string) => {
    const t = trajectory(commands.map((c) => step(c, "error", 2)));
    const result = storeTrajectory(db, prepareTrajectory(t, hash), { studyId: 1, jobId: null, sourceKey: "s" });
    storeFindings(db, result.id, result.id === id ? findings : [], false);
    return result;
  };
  const other = store(["ls", "ls", "ls"], "h2");
  expect(other.status).toBe("replaced");
  expect(counts()).toEqual([0, 0, 0]);
  expect(store(["make", "make", "touch a"], "h")).toEqual({ status: "replaced", id, replaces: other.id });
  expect(counts()).toEqual([2, 2, 0]);
  expect(db.$client.prepare("select id from trajectory where superseded_by is null").pluck().all()).toEqual([id]);
});
