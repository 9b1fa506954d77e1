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

function ToList({ any, href, children }: { any: boolean; href: string; children: React.ReactNode }) {
  if (!any) return children;
  return (
    <Link href={href} prefetch={false} className="text-accent hover:underline">
      {children}
    </Link>
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
      {formatShare(passed, of)}
      {of === 0 ? null : (
        <span className="ml-1 text-xs text-muted">
          <ToList any={passed > 0} href={listHref({ model: filterOn(model), unaided: true, outcome: ["passed"] })}>
            {formatCount(passed)}
          </ToList>
          /{formatCount(of)}
        </span>
      )}
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
      <ToList any={errorSteps > 0} href={listHref({ model: filterOn(model), unaided: true, misbehavior: "any" })}>
        {formatRate(errorSteps, steps)}
      </ToList>{" "}
      <span className="text-xs text-muted">
        {formatCount(errorSteps)}/{formatCount(steps)}
      </span>
    </span>
  );
}
