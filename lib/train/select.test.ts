import { expect, it } from "vitest";
import { selectionCandidates } from "./select";

const steps = (rewards: (number | null)[], kept: number[]) =>
  rewards.map((reward, i) => ({ step: i + 1, reward, checkpointId: kept.includes(i + 1) ? 100 + i + 1 : null }));

it("takes kept checkpoints by the trailing mean, not by the reward of their own step", () => {
  const found = selectionCandidates(steps([0, 0.4, 0.8, 0.1, 0.9, 0.2], [2, 4, 6]), { window: 3, candidates: 2 });
  expect(found.map((c) => c.step)).toEqual([4, 6]);
  expect(found[0]?.average).toBeCloseTo((0.4 + 0.8 + 0.1) / 3, 12);
  expect(found[1]).toMatchObject({ step: 6, checkpointId: 106 });
});

it("prefers the earlier step at a tie, and has a shorter window at the start", () => {
  expect(selectionCandidates(steps([0.5, 0.5, 0.5], [1, 3])).map((c) => [c.step, c.average])).toEqual([
    [1, 0.5],
    [3, 0.5],
  ]);
});

it("leaves out steps without a reward, and checkpoints that have none behind them", () => {
  expect(selectionCandidates(steps([null, 0.6, null], [1, 3])).map((c) => [c.step, c.average])).toEqual([[3, 0.6]]);
  expect(selectionCandidates([])).toEqual([]);
});
