import { expect, it } from "vitest";
import { likeliestTokens, pick } from "./pick";

const P = [0.1, 0.4, 0.2, 0.3];
const LOGITS = Float32Array.from(P, (p) => Math.log(p) + 5);
const draw = (temperature: number, topP: number, u: number, logits = LOGITS) => pick(logits, { temperature, topP }, u);

it("cuts the unit interval in order of ids", () => {
  expect([0, 0.09, 0.11, 0.49, 0.51, 0.69, 0.71, 0.999999].map((u) => draw(1, 1, u).id)).toEqual([
    0, 0, 1, 1, 2, 2, 3, 3,
  ]);
});

it("returns the log-probability at temperature 1, whatever it was drawn at", () => {
  for (const [temperature, topP] of [
    [1, 1],
    [0, 1],
    [0.3, 1],
    [2, 0.5],
  ] as const) {
    const { id, logprob } = draw(temperature, topP, 0.5);
    expect(logprob).toBeCloseTo(Math.log(P[id]!), 6);
  }
});

it("takes the likeliest at temperature 0, the lower id of equals", () => {
  expect(draw(0, 1, 0.99).id).toBe(1);
  expect(draw(0, 1, 0.99, Float32Array.of(1, 2, 2)).id).toBe(1);
});

it("sharpens and flattens with temperature", () => {
  const share = (temperature: number) =>
    Array.from({ length: 1000 }, (_, k) => draw(temperature, 1, k / 1000).id).filter((id) => id === 1).length / 1000;
  const expected = (t: number) => P[1]! ** (1 / t) / P.reduce((sum, p) => sum + p ** (1 / t), 0);
  for (const t of [0.5, 1, 3]) expect(share(t)).toBeCloseTo(expected(t), 2);
});

it("keeps the fewest tokens that reach top-p, by their shares", () => {
  const ids = (topP: number) => [...new Set(Array.from({ length: 500 }, (_, k) => draw(1, topP, k / 500).id))].sort();
  expect(ids(0.01)).toEqual([1]);
  expect(ids(0.65)).toEqual([1, 3]);
  expect(ids(0.75)).toEqual([1, 2, 3]);
  const first = Array.from({ length: 700 }, (_, k) => draw(1, 0.65, k / 700).id).filter((id) => id === 1).length;
  expect(first / 700).toBeCloseTo(4 / 7, 2);
});

it("never draws what has no probability", () => {
  const logits = Float32Array.of(-1e9, 0, -1e9);
  for (const u of [0, 0.5, 1 - 2 ** -53]) expect(draw(1, 1, u, logits).id).toBe(1);
});

it("lists the likeliest first", () => {
  expect(likeliestTokens(LOGITS, 3).map(({ id }) => id)).toEqual([1, 3, 2]);
  expect(
    likeliestTokens(LOGITS, 9)
      .map(({ logprob }) => Math.exp(logprob))
      .reduce((a, b) => a + b),
  ).toBeCloseTo(1, 6);
});
