import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import type { Tally } from "@/db/queries/unaided";
import { formatCount, formatRate, formatShare, UNKNOWN } from "@/lib/text/format";

/** Tally of the unaided rollouts of a model; null: of those that name none. */
type Props = Tally & { model: string | null };

const NONE = "it has no unaided rollout";

function None() {
  return (
    <span className="text-muted" title={NONE}>
      {UNKNOWN}
      <span className="sr-only">: {NONE}</span>
    </span>
  );
}

/** Unaided rollouts that passed among those with a known outcome, leading to them. */
export function PassedRate({ model, passed, trajectories, unknown }: Props) {
  if (trajectories === 0) return <None />;
  const of = trajectories - unknown;
  return (
    <span
      title={`${formatCount(passed)} passed of ${formatCount(of)} unaided rollouts with a known outcome; ${formatCount(unknown)} without`}
    >
      {formatShare(passed, of)}{" "}
      <span className="text-xs text-muted">
        <Link
          href={listHref({ model: filterOn(model), unaided: true, outcome: ["passed"] })}
          prefetch={false}
          className="text-accent hover:underline"
        >
          {formatCount(passed)}
        </Link>
        /{formatCount(of)}
      </span>
    </span>
  );
}

/** Error steps per 100 steps of unaided rollouts, leading to the rollouts with any. */
export function ErrorRate({ model, trajectories, errorSteps, steps }: Props) {
  if (trajectories === 0) return <None />;
  return (
    <span
      title={`${formatCount(errorSteps)} error steps of ${formatCount(steps)} steps of ${formatCount(trajectories)} unaided rollouts`}
    >
      <Link
        href={listHref({ model: filterOn(model), unaided: true, misbehavior: "any" })}
        prefetch={false}
        className="text-accent hover:underline"
      >
        {formatRate(errorSteps, steps)}
      </Link>{" "}
      <span className="text-xs text-muted">
        {formatCount(errorSteps)}/{formatCount(steps)}
      </span>
    </span>
  );
}
