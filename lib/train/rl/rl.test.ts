import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advantages } from "./advantages";
import { deadCause } from "./dead";
import { binaryKl, binaryTv, dppoKeeps, ppoDrops, topDivergence } from "./divergence";

/** mu, pi, A, tv, kl, kept by TV 0.1, TV 0.15, KL 0.05, dropped by PPO's clip at 0.2. */
const CASES: [number, number, number, number, number, boolean, boolean, boolean, boolean][] = [
  [0.6, 0.75, 1, 0.15000000000000002, 0.054115320909768366, false, false, false, true],
  [0.6, 0.75, -1, 0.15000000000000002, 0.054115320909768366, true, true, true, false],
  [0.6, 0.45, 1, 0.14999999999999997, 0.04522775102365467, true, true, true, false],
  [0.6, 0.45, -1, 0.14999999999999997, 0.04522775102365467, false, true, true, true],
  [0.01, 0.02, 0.5, 0.01, 0.003119375943778275, true, true, true, true],
  [0.01, 0.0001, -0.5, 0.0099, 0.036200874315244505, true, true, true, true],
  [0.99, 0.8, -0.25, 0.18999999999999995, 0.18100496057056117, false, false, false, false],
  [0.99, 0.8, 0.25, 0.18999999999999995, 0.18100496057056117, true, true, true, false],
  [0.5, 0.625, 1, 0.125, 0.03226926056878557, false, true, true, true],
  [0.25, 0.375, 1, 0.125, 0.03537489056842484, false, true, true, true],
  [0.5, 0.375, -1, 0.125, 0.03226926056878557, false, true, true, true],
  [0.95, 0.999, 1, 0.049000000000000044, 0.1478229959201388, true, true, false, false],
  [0.3, 0.3, 1, 0, 0, true, true, true, false],
  [0.001, 0.15, 1, 0.149, 0.1563462754409309, false, true, false, true],
  [0.8, 0.65, -0.7, 0.15000000000000002, 0.0541883342355111, false, false, false, false],
];

describe("the trust region of DPPO", () => {
  it.each(CASES)("mu %d, pi %d, A %d", (mu, pi, advantage, tv, kl, tv10, tv15, kl05, clipped) => {
    expect(binaryTv(mu, pi)).toBeCloseTo(tv, 15);
    expect(binaryKl(mu, pi)).toBeCloseTo(kl, 9);
    const token = { mu, pi, advantage };
    expect(dppoKeeps(token, "tv", 0.1)).toBe(tv10);
    expect(dppoKeeps(token, "tv", 0.15)).toBe(tv15);
    expect(dppoKeeps(token, "kl", 0.05)).toBe(kl05);
    expect(ppoDrops(pi / mu, advantage, 0.2, 0.2)).toBe(clipped);
  });

  it("over K tokens and a rest is the binary one when K is one", () => {
    const p = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(p, p, (mu, pi) => {
        expect(topDivergence([mu], [pi], "tv")).toBeCloseTo(binaryTv(mu, pi), 9);
        expect(topDivergence([mu], [pi], "kl")).toBeCloseTo(binaryKl(mu, pi), 9);
      }),
    );
  });

  it("sees what happens among the other tokens when K is larger", () => {
    expect(topDivergence([0.5, 0.3], [0.5, 0.1], "tv")).toBeCloseTo(0.2, 12);
    expect(topDivergence([0.5, 0.5], [0.5, 0.5], "kl")).toBe(0);
  });
});

describe("advantages", () => {
  it.each([
    [
      [0, 0, 0, 1],
      [-0.25, -0.25, -0.25, 0.75],
      [-0.5773502558562927, -0.5773502558562927, -0.5773502558562927, 1.7320507675688783],
    ],
    [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
    [
      [0.25, 0.5, 1, 0],
      [-0.1875, 0.0625, 0.5625, -0.4375],
      [-0.5070925391228246, 0.16903084637427487, 1.5212776173684739, -1.183215924619924],
    ],
  ])("of %j", (rewards, centered, standard) => {
    for (const [i, a] of advantages(rewards, "centered").entries()) expect(a).toBeCloseTo(centered[i] as number, 12);
    for (const [i, a] of advantages(rewards, "standard").entries()) expect(a).toBeCloseTo(standard[i] as number, 9);
  });

  it("of maxrl are divided by the mean, and 0 where it is not positive", () => {
    expect(advantages([0, 0, 0, 1], "maxrl")).toEqual([-1, -1, -1, 3]);
    expect(advantages([-1, 0, -2], "maxrl")).toEqual([0, 0, 0]);
  });

  it("of sixteen with one success", () => {
    const rewards = [...Array<number>(15).fill(0), 1];
    expect(advantages(rewards, "centered").at(-1)).toBe(0.9375);
    expect(advantages(rewards, "standard").at(-1)).toBeCloseTo(3.8729831862074233, 9);
  });

  it("sum to zero, and are exactly zero without spread", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 16 }), (rewards) => {
        const sum = advantages(rewards, "centered").reduce((s, a) => s + a, 0);
        expect(Math.abs(sum)).toBeLessThan(1e-12);
        expect(
          advantages(
            rewards.map(() => 0.1),
            "standard",
          ).every((a) => a === 0),
        ).toBe(true);
      }),
    );
  });
});

describe("a dead group", () => {
  const of = (...members: [number | null, number | null][]) =>
    deadCause(members.map(([reward, outcomeReward]) => ({ reward, outcomeReward })));

  it.each([
    ["all failed", of([0, 0], [0, 0]), "all-fail"],
    ["all passed", of([1, 1], [1, 1]), "all-pass"],
    ["some passed and the judge took all", of([0, 1], [0, 0]), "vetoed"],
    ["too few that say anything", of([1, 1], [null, 1], [null, null]), "infrastructure"],
    ["spread", of([1, 1], [0, 1], [null, null]), null],
    ["partial credit that differs", of([0.25, 0.25], [0.5, 0.5]), null],
  ])("%s", (_, cause, expected) => {
    expect(cause).toBe(expected);
  });
});
