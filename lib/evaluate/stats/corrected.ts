import { type BootstrapOptions, bootstrapInterval, clip, type Estimate, type Interval } from "./bootstrap";
import { robustSe, weighted } from "./linear";

/** Judged windows of a cluster (a prefix): all of them, and those that people judged too. */
export interface JudgedCluster {
  /** Windows that only the judge saw, and how many of them it said yes to. */
  unlabelled: number;
  unlabelledYes: number;
  /** Windows both judged: people yes and judge yes, people yes and judge no, … */
  yesYes: number;
  yesNo: number;
  noYes: number;
  noNo: number;
}

/** Why a rate cannot be corrected. */
export type Refusal =
  | { why: "no-labels" }
  /** People never said yes, or never no: sensitivity or specificity is not known. */
  | { why: "one-sided" }
  /** sensitivity + specificity - 1 is too near to 0: the judge does not tell the two apart. */
  | { why: "uninformative"; informedness: number };

export interface Corrected {
  value: number;
  interval: Interval | null;
}

export interface JudgeQuality {
  labels: number;
  sensitivity: number | null;
  specificity: number | null;
  /** sensitivity + specificity - 1. */
  informedness: number | null;
}

/** Below it a corrected rate would be noise divided by almost nothing. */
export const LEAST_INFORMEDNESS = 0.1;

type Column = keyof JudgedCluster;
const column = (clusters: readonly JudgedCluster[], name: Column) => clusters.map((c) => c[name]);

export function qualityOf(clusters: readonly JudgedCluster[]): JudgeQuality {
  const sum = (name: Column) => column(clusters, name).reduce((a, b) => a + b, 0);
  const [yy, yn, ny, nn] = [sum("yesYes"), sum("yesNo"), sum("noYes"), sum("noNo")];
  const sensitivity = yy + yn === 0 ? null : yy / (yy + yn);
  const specificity = ny + nn === 0 ? null : nn / (ny + nn);
  const informedness = sensitivity === null || specificity === null ? null : sensitivity + specificity - 1;
  return { labels: yy + yn + ny + nn, sensitivity, specificity, informedness };
}

function refusal({ labels, informedness }: JudgeQuality): Refusal | null {
  if (labels === 0) return { why: "no-labels" };
  if (informedness === null) return { why: "one-sided" };
  return informedness < LEAST_INFORMEDNESS ? { why: "uninformative", informedness } : null;
}

/** The rate with its standard error, whose influences carry both errors: of the sample, and of the judge's quality. */
function roganGladenOf(clusters: readonly JudgedCluster[], w: Uint16Array): Estimate | null {
  const sum = (name: Column) => weighted(w, column(clusters, name));
  const [yy, yn, ny, nn] = [sum("yesYes"), sum("yesNo"), sum("noYes"), sum("noNo")];
  const n = sum("unlabelled") + yy + yn + ny + nn;
  if (yy + yn === 0 || ny + nn === 0 || n === 0) return null;
  const p = (sum("unlabelledYes") + yy + ny) / n;
  const sensitivity = yy / (yy + yn);
  const specificity = nn / (ny + nn);
  const j = sensitivity + specificity - 1;
  if (j <= 0) return null;
  const value = (p + specificity - 1) / j;
  const se = robustSe(w, (i) => {
    const c = clusters[i] as JudgedCluster;
    const size = c.unlabelled + c.yesYes + c.yesNo + c.noYes + c.noNo;
    const dp = (c.unlabelledYes + c.yesYes + c.noYes - p * size) / n;
    const dSensitivity = (c.yesYes - sensitivity * (c.yesYes + c.yesNo)) / (yy + yn);
    const dSpecificity = (c.noNo - specificity * (c.noYes + c.noNo)) / (ny + nn);
    return (dp + (1 - value) * dSpecificity - value * dSensitivity) / j;
  });
  return { value, se };
}

/**
 * Rogan-Gladen: (judged rate + specificity - 1) / (sensitivity + specificity - 1), inside [0, 1] (Rogan and Gladen 1978).
 * Labels must be of windows drawn at random.
 */
export function roganGladen(
  clusters: readonly JudgedCluster[],
  options: BootstrapOptions,
): Corrected | { refused: Refusal } {
  const refused = refusal(qualityOf(clusters));
  if (refused) return { refused };
  const estimate = roganGladenOf(clusters, new Uint16Array(clusters.length).fill(1));
  if (estimate === null) return { refused: { why: "one-sided" } };
  const interval = bootstrapInterval(clusters.length, (w) => roganGladenOf(clusters, w), options);
  return { value: Math.min(1, Math.max(0, estimate.value)), interval: clip(interval) };
}

/** Tuning of PPI++: covariance over variance, less for few windows without a label; inside [0, 1]. */
export function powerTuning(clusters: readonly JudgedCluster[], w: Uint16Array): number {
  const sum = (name: Column) => weighted(w, column(clusters, name));
  const [yy, yn, ny, nn] = [sum("yesYes"), sum("yesNo"), sum("noYes"), sum("noNo")];
  const n = yy + yn + ny + nn;
  const big = sum("unlabelled");
  if (n === 0 || big === 0) return 0;
  const covariance = yy / n - ((yy + yn) / n) * ((yy + ny) / n);
  const share = (yy + ny + sum("unlabelledYes")) / (n + big);
  const variance = share * (1 - share);
  return variance === 0 ? 0 : Math.min(1, Math.max(0, covariance / (variance * (1 + n / big))));
}

function ppiOf(clusters: readonly JudgedCluster[], w: Uint16Array): Estimate | null {
  const sum = (name: Column) => weighted(w, column(clusters, name));
  const [yy, yn, ny, nn] = [sum("yesYes"), sum("yesNo"), sum("noYes"), sum("noNo")];
  const n = yy + yn + ny + nn;
  if (n === 0) return null;
  const big = sum("unlabelled");
  const lambda = powerTuning(clusters, w);
  const people = (yy + yn) / n;
  const judgeHere = (yy + ny) / n;
  const judgeThere = big === 0 ? 0 : sum("unlabelledYes") / big;
  const value = people + lambda * (judgeThere - judgeHere);
  const se = robustSe(w, (i) => {
    const c = clusters[i] as JudgedCluster;
    const size = c.yesYes + c.yesNo + c.noYes + c.noNo;
    const labelled = c.yesYes + c.yesNo - people * size - lambda * (c.yesYes + c.noYes - judgeHere * size);
    return labelled / n + (big === 0 ? 0 : (lambda * (c.unlabelledYes - judgeThere * c.unlabelled)) / big);
  });
  return { value, se };
}

/** The PPI++ rate with its standard error, cluster-robust, not cut to [0, 1]. null: nothing is labelled. */
export const predictionPoweredEstimate = (clusters: readonly JudgedCluster[]): Estimate | null =>
  ppiOf(clusters, new Uint16Array(clusters.length).fill(1));

/**
 * Prediction-powered rate with power tuning (PPI++, Angelopoulos et al. 2023): people's rate on the labelled windows, moved
 * by what the judge says of the others. Right whatever the judge is worth; a good judge makes the interval narrow. Labels
 * must be of windows drawn at random.
 */
export function predictionPowered(
  clusters: readonly JudgedCluster[],
  options: BootstrapOptions,
): (Corrected & { lambda: number }) | { refused: Refusal } {
  const all = new Uint16Array(clusters.length).fill(1);
  const estimate = ppiOf(clusters, all);
  if (estimate === null) return { refused: { why: "no-labels" } };
  const interval = bootstrapInterval(clusters.length, (w) => ppiOf(clusters, w), options);
  return {
    value: Math.min(1, Math.max(0, estimate.value)),
    interval: clip(interval),
    lambda: powerTuning(clusters, all),
  };
}
