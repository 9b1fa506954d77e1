import { expect, test } from "vitest";
import type { JudgedCluster } from "./corrected";
import { labelledShares, labelsNeeded, labelsToSeparate, ppiVariance } from "./labelsNeeded";
import { seededBelow } from "./random";

const shares = (over: object = {}) => ({
  ...{ people: 0.5, judge: 0.5, covariance: 0.25, windows: 200, clustering: 1, labels: 100 },
  ...over,
});

test("variance by hand: a perfect judge is worth all windows, a useless one none, and clustering multiplies", () => {
  // lambda = 0.25 / (0.25 * 2) = 0.5: (0.25 - 0.25 + 0.0625) / 100 + 0.0625 / 100 = 0.25 / 200.
  expect(ppiVariance(shares(), 100)).toBeCloseTo(0.00125, 12);
  expect(ppiVariance(shares({ covariance: 0 }), 100)).toBeCloseTo(0.0025, 12);
  expect(ppiVariance(shares({ clustering: 3 }), 100)).toBeCloseTo(0.00375, 12);
  // Everything is labelled: people alone.
  expect(ppiVariance(shares(), 200)).toBeCloseTo(0.00125, 12);
});

test("labels to separate by hand: a useless judge, 0.2 apart", () => {
  // 1.96 * sqrt(0.25 / 48 + 0.25 / 48) = 0.20004 is too much, 1.96 * sqrt(0.25 / 49 + 0.25 / 48) = 0.19902 is not: 29 and 28 beside 20 each.
  const useless = shares({ covariance: 0, labels: 20, windows: 1000 });
  expect(labelsToSeparate(0.2, useless, useless)).toEqual({ kind: "more", labels: 57 });
  expect(labelsToSeparate(0.5, useless, useless)).toEqual({ kind: "separated" });
  expect(labelsToSeparate(0.01, useless, useless)).toEqual({ kind: "never" });
});

const counts = (unlabelled: number, unlabelledYes: number, yy: number, yn: number, ny: number, nn: number) => ({
  ...{ unlabelled, unlabelledYes, yesYes: yy, yesNo: yn, noYes: ny, noNo: nn },
});

test("shares come from the counts; without labels, or with labels that all say the same, nothing is promised", () => {
  const one = labelledShares([counts(10, 5, 2, 1, 1, 4), counts(6, 2, 1, 1, 0, 2)]);
  expect(one).toMatchObject({ labels: 12, windows: 28, people: 5 / 12, judge: 4 / 12 });
  expect(one?.covariance).toBeCloseTo(3 / 12 - (5 / 12) * (4 / 12), 12);
  expect(labelsNeeded([counts(10, 5, 0, 0, 0, 0)], [counts(10, 5, 1, 0, 0, 1)])).toEqual({ kind: "unknown" });
  expect(labelsNeeded([counts(10, 0, 0, 0, 0, 3)], [counts(10, 0, 0, 0, 0, 3)])).toEqual({ kind: "unknown" });
});

/** 40 prefixes of 16 windows, the first `labelled` of each labelled, under a judge that is right with `quality` percent. */
function study(key: string, percent: number, quality: number, labelled: number): JudgedCluster[] {
  const below = seededBelow(key);
  return Array.from({ length: 40 }, () => {
    const c = counts(0, 0, 0, 0, 0, 0);
    for (let i = 0; i < 16; i++) {
      const truth = below(100) < percent;
      const said = below(100) < quality ? truth : !truth;
      if (i >= labelled) {
        c.unlabelled++;
        if (said) c.unlabelledYes++;
      } else c[truth ? (said ? "yesYes" : "yesNo") : said ? "noYes" : "noNo"]++;
    }
    return c;
  });
}

test("simulated: the nearer the rates and the worse the judge, the more labels", () => {
  const rank = (n: ReturnType<typeof labelsNeeded>) =>
    n.kind === "separated"
      ? 0
      : n.kind === "more"
        ? n.labels
        : n.kind === "never"
          ? Number.POSITIVE_INFINITY
          : Number.NaN;
  const mean = (percent: number, quality: number) => {
    const all = Array.from({ length: 20 }, (_, i) =>
      rank(labelsNeeded(study(`a${i}`, 40, quality, 1), study(`b${i}`, percent, quality, 1))),
    );
    return all.reduce((sum, n) => sum + Math.min(n, 1200), 0) / all.length;
  };
  const far = mean(10, 95);
  const near = mean(30, 95);
  const worse = mean(10, 60);
  expect(far).toBeLessThan(near);
  expect(far).toBeLessThan(worse);
});
