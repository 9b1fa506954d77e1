import { formatCount, formatRate, formatShare } from "@/lib/text/format";

/** Rollouts that passed among those with a known outcome. */
export function PassedRate({
  passed,
  trajectories,
  unknown,
}: {
  passed: number;
  trajectories: number;
  unknown: number;
}) {
  const of = trajectories - unknown;
  return (
    <span
      title={`${formatCount(passed)} passed of ${formatCount(of)} with a known outcome; ${formatCount(unknown)} without`}
    >
      {formatShare(passed, of)}{" "}
      <span className="text-xs text-muted">
        {formatCount(passed)}/{formatCount(of)}
      </span>
    </span>
  );
}

/** Error steps per 100 steps. */
export function ErrorRate({ errorSteps, steps }: { errorSteps: number; steps: number }) {
  return (
    <span title={`${formatCount(errorSteps)} error steps of ${formatCount(steps)} steps`}>
      {formatRate(errorSteps, steps)}{" "}
      <span className="text-xs text-muted">
        {formatCount(errorSteps)}/{formatCount(steps)}
      </span>
    </span>
  );
}
