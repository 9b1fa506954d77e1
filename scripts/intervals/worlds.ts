import type { JudgedCluster } from "@/lib/evaluate/stats/corrected";
import { betaQuantile } from "@/lib/evaluate/stats/distributions";
import type { Cluster } from "@/lib/evaluate/stats/linear";
import { seededUniform } from "@/lib/evaluate/stats/random";

/** Prefixes with rates of their own around `rate`, and samples of each. */
export interface RateWorld {
  prefixes: number;
  samples: number;
  rate: number;
  /** Of two samples of one prefix: 1 / (a + b + 1) of the beta distribution of the prefixes' rates. */
  correlation: number;
  /** Mean rate of a second policy on the same prefixes: one that is bad for the first is bad for it too. */
  other: number;
}

/** The same with a judge that errs, and people who saw some of the windows. */
export interface JudgedWorld extends Omit<RateWorld, "other"> {
  sensitivity: number;
  specificity: number;
  /** Chance of a window to be labelled. */
  labelled: number;
}

const base = { prefixes: 20, samples: 16 };
export const RATE_WORLDS: RateWorld[] = [
  { ...base, rate: 0.1, correlation: 0.1, other: 0.05 },
  { ...base, rate: 0.2, correlation: 0.1, other: 0.1 },
  { ...base, rate: 0.4, correlation: 0.1, other: 0.2 },
  { ...base, rate: 0.4, correlation: 0.3, other: 0.2 },
  { ...base, rate: 0.6, correlation: 0.3, other: 0.3 },
  { ...base, rate: 0.05, correlation: 0.1, other: 0.02 },
  { ...base, rate: 0.05, correlation: 0.3, other: 0.05 },
];

const judged = { prefixes: 40, samples: 16 };
export const JUDGED_WORLDS: JudgedWorld[] = [
  { ...judged, rate: 0.2, correlation: 0.1, sensitivity: 0.9, specificity: 0.9, labelled: 0.3 },
  { ...judged, rate: 0.4, correlation: 0.1, sensitivity: 0.8, specificity: 0.9, labelled: 0.3 },
  { ...judged, rate: 0.4, correlation: 0.3, sensitivity: 0.8, specificity: 0.9, labelled: 0.5 },
  { ...judged, rate: 0.4, correlation: 0.1, sensitivity: 0.7, specificity: 0.7, labelled: 0.5 },
];

/** The prefix's rate at a place `u` in (0, 1) of the distribution. */
function rateAt(u: number, mean: number, correlation: number): number {
  const size = 1 / correlation - 1;
  return betaQuantile(u, mean * size, (1 - mean) * size);
}

const inside = (u: number) => Math.min(1 - 1e-9, Math.max(1e-9, u));

/** One simulated study: the clusters of both policies, by prefix. */
export function ratesOf(world: RateWorld, study: number): { before: Cluster; after: Cluster }[] {
  const next = seededUniform(`rates\0${JSON.stringify(world)}\0${study}`);
  const drawn = (p: number): Cluster => {
    let numerator = 0;
    for (let i = 0; i < world.samples; i++) if (next() < p) numerator++;
    return { numerator, denominator: world.samples };
  };
  return Array.from({ length: world.prefixes }, () => {
    const u = inside(next());
    return {
      before: drawn(rateAt(u, world.rate, world.correlation)),
      after: drawn(rateAt(u, world.other, world.correlation)),
    };
  });
}

/** One simulated study with a judge and labels of windows drawn at random. */
export function judgedOf(world: JudgedWorld, study: number): JudgedCluster[] {
  const next = seededUniform(`judged\0${JSON.stringify(world)}\0${study}`);
  return Array.from({ length: world.prefixes }, () => {
    const p = rateAt(inside(next()), world.rate, world.correlation);
    const cluster: JudgedCluster = { unlabelled: 0, unlabelledYes: 0, yesYes: 0, yesNo: 0, noYes: 0, noNo: 0 };
    for (let i = 0; i < world.samples; i++) {
      const truth = next() < p;
      const judge = next() < (truth ? world.sensitivity : 1 - world.specificity);
      if (next() >= world.labelled) {
        cluster.unlabelled++;
        if (judge) cluster.unlabelledYes++;
      } else cluster[truth ? (judge ? "yesYes" : "yesNo") : judge ? "noYes" : "noNo"]++;
    }
    return cluster;
  });
}

export const nameOf = (w: RateWorld | JudgedWorld): string =>
  `${w.prefixes} prefixes x ${w.samples}, rate ${w.rate}, correlation ${w.correlation}` +
  ("sensitivity" in w ? `, judge ${w.sensitivity}/${w.specificity}, labelled ${w.labelled}` : "");
