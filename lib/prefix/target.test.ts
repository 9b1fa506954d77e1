import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { stepId } from "@/db/ids";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import type { Trajectory } from "@/lib/trajectory/types";
import { storeBranch } from "./fork/branch";
import { prefixOfStep } from "./sample";
import { prefixTarget, whyNoRerun } from "./target";
import { recordedStep, recordedTrajectory } from "./testing";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const steps = (n: number) => Array.from({ length: n }, (_, i) => recordedStep(`echo ${i}`, `${i}`));
const put = (trajectory: Trajectory, hash: string) =>
  storeTrajectory(db, prepareTrajectory(trajectory, hash), { studyId: 1, jobId: null, sourceKey: "s" }).id;
const commands = (id: number) => {
  const replay = prefixTarget(db, id)?.replay;
  return replay?.kind === "commands" ? replay.steps.map((s) => s.command) : null;
};
const environment = (set: string) => db.$client.exec(`update environment set ${set}`);

test("a prefix of a trajectory that grew has the commands before its step, all of them", () => {
  const id = put(recordedTrajectory(steps(3)), "h1");
  expect(commands(prefixOfStep(db, stepId(id, 2)))).toEqual(["echo 0", "echo 1"]);
  expect(put(recordedTrajectory(steps(5)), "h2")).toBe(id);
  expect(commands(prefixOfStep(db, stepId(id, 4)))).toEqual(["echo 0", "echo 1", "echo 2", "echo 3"]);
});

test("which environment it can be rerun in, or in plain words why in none", () => {
  const id = put(recordedTrajectory(steps(2)), "h");
  const prefix = prefixOfStep(db, stepId(id, 1));
  expect(whyNoRerun(db, id)).toBe(prefixTarget(db, prefix)?.missing);
  expect(prefixTarget(db, prefix)).toMatchObject({
    environmentId: null,
    missing: expect.stringMatching(/no files of "task"/),
  });
  environment("digest = 'd'");
  expect(prefixTarget(db, prefix)).toMatchObject({ environmentId: 1, missing: null });
  expect(whyNoRerun(db, id)).toBeNull();
  environment("digest = null");
  db.$client.exec("insert into environment (name, dataset, digest) values ('task', 'a', 'd'), ('task', 'b', 'd')");
  expect(prefixTarget(db, prefix)?.missing).toMatch(/2 environments are named "task"/);
  expect(prefixTarget(db, 99)).toBeUndefined();
});

test("files that changed since the recording are another environment", () => {
  const recorded = recordedTrajectory(steps(2), { source: { environment: { digest: "old" } } });
  const prefix = prefixOfStep(db, stepId(put(recorded, "h"), 1));
  environment("digest = 'old'");
  expect(prefixTarget(db, prefix)).toMatchObject({ environmentId: 1, missing: null });
  environment("digest = 'new'");
  expect(prefixTarget(db, prefix)).toMatchObject({ environmentId: null });
  expect(prefixTarget(db, prefix)?.missing).toMatch(/have changed since/);
});

test("a prefix of a branch is void: its copied commands would be missing, its typed ones cannot be compared", () => {
  const parent = put(recordedTrajectory(steps(3)), "h");
  const typed = { command: "pwd", output: "/app\r\n", exitCode: 0, durationMs: 1, startedAt: 0 };
  const branch = storeBranch(db, "fork", { trajectoryId: parent, index: 2, studyId: 1 }, [typed, typed]);
  for (const index of [2, 3])
    expect(prefixTarget(db, prefixOfStep(db, stepId(branch, index)))?.replay).toMatchObject({
      kind: "void",
      reason: expect.stringContaining(`in trajectory ${parent}, can be rerun`),
    });
});
