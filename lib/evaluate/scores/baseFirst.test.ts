import { expect, test } from "vitest";
import { baseFirst } from "./baseFirst";

const policies = [3, 2, 1, 4].map((checkpointId) => ({ checkpointId }));
const ids = (parents: Record<number, number>) =>
  baseFirst(
    policies,
    [1, 2, 3, 4].map((id) => ({ id, parentId: parents[id] ?? null })),
  ).map((p) => p.checkpointId);

test("the policy that most others descend from comes first, over generations; without descent the order stays", () => {
  expect(ids({ 2: 1, 3: 2, 4: 1 })).toEqual([1, 3, 2, 4]);
  expect(ids({})).toEqual([3, 2, 1, 4]);
  // 9 is not in the set.
  expect(ids({ 3: 9, 2: 9, 4: 9 })).toEqual([1, 3, 2, 4]);
});

test("a circle of parents ends", () => {
  expect(ids({ 1: 2, 2: 1, 3: 1 })).toHaveLength(4);
});
