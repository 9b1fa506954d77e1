import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { emptyStep, emptyTrajectory, observation } from "./build";
import { stepsFingerprint } from "./fingerprint";
import { prepareTrajectory, STEP_COLUMNS } from "./prepare";
import { storeTrajectory } from "./store";
import type { Step, StepNote } from "./types";

const agent = (turn: number, note: StepNote): Step => ({ ...emptyStep("agent", turn), message: "m", note });

test("the policy's steps are numbered, also a rejected one; the teacher's correction is not", () => {
  const steps = [emptyStep("user", null), agent(0, null), agent(1, "rejected"), agent(2, "correction"), agent(3, null)];
  const prepared = prepareTrajectory({ ...emptyTrajectory("misstep"), steps }, "h");
  expect(prepared.rows.map((row) => row[STEP_COLUMNS.indexOf("number")])).toEqual([null, 1, 2, null, 3]);
  expect(prepared.steps).toBe(3);
});

test("numbers that no column takes lose themselves, not the trajectory", () => {
  const db = openMemoryDb();
  const output = { ...observation("(exit_code=99999999999999999999)"), exitCode: 1e20 };
  const usage = {
    promptTokens: 1e300,
    completionTokens: 12.5,
    cachedTokens: null,
    reasoningTokens: null,
    costUsd: null,
  };
  const step: Step = { ...agent(0, null), observations: [output], usage, durationMs: 1e200 };
  const prepared = prepareTrajectory({ ...emptyTrajectory("chat"), steps: [step] }, "h");
  storeTrajectory(db, prepared, { studyId: 1, jobId: null, sourceKey: "s" });
  const row = db.$client
    .prepare("select exit_code, duration_ms, prompt_tokens, completion_tokens from step where kind = 'agent'")
    .get();
  expect(row).toEqual({ exit_code: null, duration_ms: null, prompt_tokens: null, completion_tokens: 13 });
  db.$client.close();
});

test("whether a step ran, and whose it is, is part of what a trajectory says", () => {
  const notes: StepNote[] = [null, "rejected", "correction"];
  expect(new Set(notes.map((note) => stepsFingerprint([agent(0, note)]))).size).toBe(3);
});
