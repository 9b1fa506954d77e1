import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { storeOwnTrajectory } from "@/lib/profile/record";
import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { loadTrajectory } from "@/lib/trajectory/load";
import { storeBranch } from "./branch";
import type { ForkCommand } from "./types";

function parent() {
  const trajectory = emptyTrajectory("misstep");
  trajectory.name = "count";
  trajectory.task = "count-lines";
  trajectory.agent = "recorded";
  const task = emptyStep("user", null);
  task.message = "Count the lines.";
  const steps = ["ls", "wc -l a", "rm a"].map((command, turn) => {
    const step = emptyStep("agent", turn);
    step.call = { id: null, name: "bash", arguments: { command }, command };
    step.observations = [observation(`did ${command}\n\n(exit_code=0)`)];
    return step;
  });
  trajectory.steps = [task, ...steps];
  return trajectory;
}

const typed = (command: string, exitCode: number | null = 0): ForkCommand => ({
  command,
  output: `${command}: yes\r\n`,
  exitCode,
  durationMs: 5,
  startedAt: 1_700_000_000_000,
});

test("a branch is one trajectory that grows with each command and hangs on the step it left", () => {
  const db = openMemoryDb();
  const trajectoryId = storeOwnTrajectory(db, parent());
  const point = { trajectoryId, index: 3, studyId: 1 };
  const id = storeBranch(db, "f1", point, [typed("cat a")]);
  expect(storeBranch(db, "f1", point, [typed("cat a"), typed("false", 1)])).toBe(id);
  expect(storeBranch(db, "f2", point, [typed("cat a")])).not.toBe(id);

  const row = db.$client
    .prepare("select parent_id, parent_step, steps, entries, task, agent, superseded_by from trajectory where id = ?")
    .get(id);
  expect(row).toEqual({
    parent_id: trajectoryId,
    parent_step: 3,
    steps: 2,
    entries: 5,
    task: "count-lines",
    agent: "person",
    superseded_by: null,
  });
  const steps = loadTrajectory(db, id)?.steps ?? [];
  expect(steps.map((s) => [s.copied, s.call?.command ?? s.message, s.observations[0]?.exitCode ?? null])).toEqual([
    [true, "Count the lines.", null],
    [true, "ls", null],
    [true, "wc -l a", null],
    [false, "cat a", 0],
    [false, "false", 1],
  ]);
  expect(
    db.$client
      .prepare("select number from step where id between ? and ?")
      .pluck()
      .all(id * SPAN, id * SPAN + 9),
  ).toEqual([null, null, null, 1, 2]);
});

test("a trajectory that is gone is said, and nothing is stored", () => {
  const db = openMemoryDb();
  expect(() => storeBranch(db, "f", { trajectoryId: 7, index: 0, studyId: 1 }, [typed("ls")])).toThrow(
    /trajectory 7 is gone/,
  );
  expect(db.$client.prepare("select count(*) from trajectory").pluck().get()).toBe(0);
});

test("a branch of a rollout that names no data set stays in the environment of the rollout", () => {
  const db = openMemoryDb();
  db.$client.exec("insert into environment (id, name, dataset, kind) values (70, 'count-lines', 'tiny', 'tiny')");
  const trajectoryId = storeOwnTrajectory(db, parent());
  db.$client.exec(`update trajectory set environment_id = 70; delete from environment where id <> 70;`);
  const id = storeBranch(db, "f1", { trajectoryId, index: 3, studyId: 1 }, [typed("cat a")]);
  expect(db.$client.prepare("select environment_id from trajectory where id = ?").pluck().get(id)).toBe(70);
  expect(db.$client.prepare("select id from environment").pluck().all()).toEqual([70]);
});
