import { type JudgedCluster, predictionPoweredEstimate } from "./corrected";

/** What is known of one policy's windows: shares, and how people and judge go together. */
export interface LabelledShares {
  /** Share of yes by people, and by the judge, on labelled windows. */
  people: number;
  judge: number;
  /** Covariance of the two answers. */
  covariance: number;
  /** Windows that the judge saw, labelled or not. */
  windows: number;
  /** Variance with clusters over variance without: at least 1. */
  clustering: number;
}

/**
 * Variance of the PPI++ rate (Angelopoulos et al. 2023) with `labels` of the windows labelled, at its best tuning:
 * (var Y - 2·λ·cov + λ²·var F) / n + λ²·var F / (N - n), times the clustering.
 */
export function ppiVariance(s: LabelledShares, labels: number): number {
  const rest = s.windows - labels;
  const varPeople = s.people * (1 - s.people);
  const varJudge = s.judge * (1 - s.judge);
  const lambda =
    rest <= 0 || varJudge === 0 ? 0 : Math.min(1, Math.max(0, s.covariance / (varJudge * (1 + labels / rest))));
  const labelled = (varPeople - 2 * lambda * s.covariance + lambda ** 2 * varJudge) / labels;
  return s.clustering * (labelled + (rest <= 0 ? 0 : (lambda ** 2 * varJudge) / rest));
}

/** null: nothing is labelled. */
export function labelledShares(clusters: readonly JudgedCluster[]): (LabelledShares & { labels: number }) | null {
  const sum = (name: keyof JudgedCluster) => clusters.reduce((all, c) => all + c[name], 0);
  const [yy, yn, ny, nn] = [sum("yesYes"), sum("yesNo"), sum("noYes"), sum("noNo")];
  const labels = yy + yn + ny + nn;
  if (labels === 0) return null;
  const people = (yy + yn) / labels;
  const judge = (yy + ny) / labels;
  const plain = {
    ...{ labels, people, judge },
    covariance: yy / labels - people * judge,
    windows: labels + sum("unlabelled"),
    clustering: 1,
  };
  const variance = ppiVariance(plain, labels);
  const se = predictionPoweredEstimate(clusters)?.se ?? null;
  return { ...plain, clustering: se === null || variance === 0 ? 1 : Math.max(1, se ** 2 / variance) };
}

export type LabelsNeeded =
  /** One of the two has no label, or its labels show no spread. */
  | { kind: "unknown" }
  | { kind: "separated" }
  /** Labels beside those there are, over both. */
  | { kind: "more"; labels: number }
  /** Not even with every window labelled: it takes more prefixes or samples. */
  | { kind: "never" };

const Z = 1.96;

/**
 * How many more labels would tell two corrected rates apart at 95%, if the rates are what they look like now: the fewest,
 * spread evenly over both, at which 1.96 standard errors of the difference are less than the difference. Takes the two as
 * independent, which asks for rather too many where they share prefixes.
 */
export function labelsNeeded(a: readonly JudgedCluster[], b: readonly JudgedCluster[]): LabelsNeeded {
  const [one, two] = [labelledShares(a), labelledShares(b)];
  const [rateA, rateB] = [predictionPoweredEstimate(a)?.value, predictionPoweredEstimate(b)?.value];
  if (!one || !two || rateA === undefined || rateB === undefined) return { kind: "unknown" };
  if (ppiVariance(one, one.labels) + ppiVariance(two, two.labels) === 0) return { kind: "unknown" };
  return labelsToSeparate(Math.abs(rateA - rateB), one, two);
}

/** The same from shares: `labels` are those there are. */
export function labelsToSeparate(
  difference: number,
  a: LabelledShares & { labels: number },
  b: LabelledShares & { labels: number },
): LabelsNeeded {
  const [openA, openB] = [a.windows - a.labels, b.windows - b.labels];
  const apart = (more: number): boolean => {
    // Half each; what one has no windows for goes to the other.
    const half = Math.ceil(more / 2);
    const toA = Math.min(openA, Math.max(half, more - openB));
    const toB = Math.min(openB, more - toA);
    return difference > Z * Math.sqrt(ppiVariance(a, a.labels + toA) + ppiVariance(b, b.labels + toB));
  };
  if (apart(0)) return { kind: "separated" };
  if (!apart(openA + openB)) return { kind: "never" };
  let [low, high] = [0, openA + openB];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (apart(middle)) high = middle;
    else low = middle;
  }
  return { kind: "more", labels: high };
}
