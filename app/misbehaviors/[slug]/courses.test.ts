import { expect, test } from "vitest";
import type { CheckpointRate } from "@/db/queries/trend";
import { coursesOf } from "./courses";

const at = (model: string | null, errorSteps: number | null, training: string | null = null, step = 0) =>
  ({ model, errorSteps, steps: 100, training, trainingStep: training === null ? null : step }) as CheckpointRate;

test("only checkpoints of one training are joined, by its steps; all others stand apart, the most frequent first", () => {
  const { courses, apart } = coursesOf([
    at("base", 9),
    at("t-30", 1, "t", 30),
    at("lone-6", 20, "lone", 6),
    at("t-6", 5, "t", 6),
    at(null, 30),
    at("unseen", null),
  ]);
  expect(courses.map((c) => [c.training, c.points.map((p) => p.model)])).toEqual([["t", ["t-6", "t-30"]]]);
  expect(apart.map((r) => r.model)).toEqual([null, "lone-6", "base", "unseen"]);
});

test("a training with one checkpoint that is known has no course", () => {
  const { courses, apart } = coursesOf([at("t-6", null, "t", 6), at("t-30", 1, "t", 30)]);
  expect(courses).toEqual([]);
  expect(apart.map((r) => r.model)).toEqual(["t-30", "t-6"]);
});
