import { expect, test } from "vitest";
import { emptyStep, emptyTrajectory } from "./build";
import { stepsFingerprint } from "./fingerprint";
import { prepareTrajectory, STEP_COLUMNS } from "./prepare";
import type { Step, StepNote } from "./types";

const agent = (turn: number, note: StepNote): Step => ({ ...emptyStep("agent", turn), message: "m", note });

test("the policy's steps are numbered, also a rejected one; the teacher's correction is not", () => {
  const steps = [emptyStep("user", null), agent(0, null), agent(1, "rejected"), agent(2, "correction"), agent(3, null)];
  const prepared = prepareTrajectory({ ...emptyTrajectory("misstep"), steps }, "h");
  expect(prepared.rows.map((row) => row[STEP_COLUMNS.indexOf("number")])).toEqual([null, 1, 2, null, 3]);
  expect(prepared.steps).toBe(3);
});

test("whether a step ran, and whose it is, is part of what a trajectory says", () => {
  const notes: StepNote[] = [null, "rejected", "correction"];
  expect(new Set(notes.map((note) => stepsFingerprint([agent(0, note)]))).size).toBe(3);
});
