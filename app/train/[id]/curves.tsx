"use client";
import { useRouter } from "next/navigation";
import { trainHref } from "@/app/train/search-params";
import { type LinePanel, LinesChart } from "@/components/charts/lines";
import type { StepMetrics } from "@/lib/train/run/metrics";

interface Point {
  step: number;
  metrics: StepMetrics;
}

const PANELS: LinePanel[] = [
  {
    title: "Reward",
    series: [
      { key: "reward", label: "reward" },
      { key: "outcome", label: "outcome r_o" },
      { key: "behavior", label: "behavior r_e" },
    ],
  },
  {
    title: "Groups without spread",
    series: [
      { key: "allFail", label: "all failed" },
      { key: "allPass", label: "all passed" },
      { key: "vetoed", label: "vetoed by the judge" },
      { key: "infrastructure", label: "infrastructure" },
    ],
  },
  {
    title: "Entropy (nats a token)",
    series: [{ key: "entropy", label: "entropy" }],
  },
  {
    title: "Kept by the mask (share of tokens)",
    series: [{ key: "keptShare", label: "kept" }],
  },
  {
    title: "KL to the rollout policy",
    series: [{ key: "kl", label: "KL" }],
  },
  { title: "Gradient norm", series: [{ key: "gradNorm", label: "gradient norm" }] },
  {
    title: "Length",
    series: [
      { key: "steps", label: "steps a rollout" },
      { key: "tokens", label: "tokens a rollout" },
    ],
  },
  {
    title: "Seconds a step",
    series: [
      { key: "rolloutSeconds", label: "rollouts" },
      { key: "learnSeconds", label: "learning" },
    ],
  },
  { title: "Rollouts a minute", series: [{ key: "pace", label: "rollouts a minute" }] },
];

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const rowOf = ({ step, metrics: m }: Point): Record<string, number | null> => ({
  step,
  reward: m.reward,
  outcome: m.outcomeReward,
  behavior: m.behaviorReward,
  allFail: m.dead["all-fail"],
  allPass: m.dead["all-pass"],
  vetoed: m.dead.vetoed,
  infrastructure: m.dead.infrastructure,
  entropy: m.entropy,
  keptShare: m.keptShare,
  kl: m.kl,
  gradNorm: m.gradNorm,
  steps: m.steps,
  tokens: m.tokensPerRollout,
  rolloutSeconds: seconds(m.ms.rollouts),
  learnSeconds: seconds(m.ms.learn),
  pace: m.rolloutsPerMinute,
});

/** Curves of a training; a click on a point opens the groups of its step. */
export function Curves({ id, steps, chosen }: { id: number; steps: Point[]; chosen: number | null }) {
  const router = useRouter();
  return (
    <LinesChart
      title="Curves"
      note="Means over a step’s rollouts. A click on a step shows its groups below; the list there has every step too."
      name={`training-${id}`}
      x={{ key: "step", label: "step" }}
      panels={PANELS}
      rows={steps.map(rowOf)}
      chosen={chosen}
      onChoose={(step) => router.push(`${trainHref(id, { step })}#groups`, { scroll: false })}
    />
  );
}
