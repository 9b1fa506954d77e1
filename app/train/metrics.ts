import type { StepMetrics } from "@/lib/train/run/metrics";

/** One number of a step that is drawn over the steps. */
export interface Metric {
  key: string;
  label: string;
  /** Heading of the panel it stands in. */
  panel: string;
  of(metrics: StepMetrics): number | null;
  /** Below this in size it is zero to rounding. */
  zeroBelow?: number;
}

export const KEPT = "Kept by the mask (share of tokens)";
const REWARD = "Reward";
const DEAD = "Groups without spread";
const LENGTH = "Length";
const SECONDS = "Seconds a step";
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** What is drawn of a training, alone and over others. */
export const METRICS: readonly Metric[] = [
  { key: "reward", label: "reward", panel: REWARD, of: (m) => m.reward },
  { key: "outcome", label: "outcome r_o", panel: REWARD, of: (m) => m.outcomeReward },
  { key: "behavior", label: "behavior r_e", panel: REWARD, of: (m) => m.behaviorReward },
  { key: "allFail", label: "all failed", panel: DEAD, of: (m) => m.dead["all-fail"] },
  { key: "allPass", label: "all passed", panel: DEAD, of: (m) => m.dead["all-pass"] },
  { key: "vetoed", label: "vetoed by the judge", panel: DEAD, of: (m) => m.dead.vetoed },
  { key: "infrastructure", label: "infrastructure", panel: DEAD, of: (m) => m.dead.infrastructure },
  { key: "entropy", label: "entropy", panel: "Entropy (nats a token)", of: (m) => m.entropy },
  { key: "keptShare", label: "kept", panel: KEPT, of: (m) => m.keptShare },
  { key: "kl", label: "KL", panel: "KL to the rollout policy", of: (m) => m.kl, zeroBelow: 1e-9 },
  { key: "gradNorm", label: "gradient norm", panel: "Gradient norm", of: (m) => m.gradNorm },
  { key: "steps", label: "steps a rollout", panel: LENGTH, of: (m) => m.steps },
  { key: "tokens", label: "tokens a rollout", panel: LENGTH, of: (m) => m.tokensPerRollout },
  { key: "rolloutSeconds", label: "rollouts", panel: SECONDS, of: (m) => seconds(m.ms.rollouts) },
  { key: "learnSeconds", label: "learning", panel: SECONDS, of: (m) => seconds(m.ms.learn) },
  { key: "pace", label: "rollouts a minute", panel: "Rollouts a minute", of: (m) => m.rolloutsPerMinute },
];

/** Its name where no panel says what it is of. */
export const metricName = ({ label, panel }: Metric): string =>
  METRICS.filter((m) => m.panel === panel).length > 1 && label !== panel.toLowerCase() ? `${panel}: ${label}` : panel;
