import type { DryMeasurement } from "@/lib/jobs/measureJob";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const PACE = {
  here: "at the pace of measurements on this machine",
  study: "at the pace of the study’s measurements, on the machine it was made on; none of this kind has run here yet",
} as const;

/** What a measurement would look at and how long it takes, in a few sentences. */
export function DryRun({ dry }: { dry: DryMeasurement }) {
  const { plan, policies, prefixes, samples, verdicts, expectedMs, paceOf } = dry;
  const leaked = new Set(plan.leaks.flatMap((l) => l.prefixes)).size;
  return (
    <div role="status" className="text-sm">
      <p>
        {plural(samples, "sample")}: {plural(policies, "checkpoint")} x {plural(prefixes, "prefix", "prefixes")} of{" "}
        {plural(plan.misbehaviors.length, "misbehavior")} (
        {plan.misbehaviors.map((m) => `${visible(m.name)} ${formatCount(m.prefixes.length)}`).join(", ")});{" "}
        {plural(verdicts, "verdict")}.
      </p>
      <p>
        {expectedMs === null || paceOf === null
          ? "How long it takes is not known: no measurement of this kind has run here yet."
          : `About ${formatDuration(expectedMs)} ${PACE[paceOf]}.`}
      </p>
      {plan.left.length > 0 ? (
        <p className="text-muted">
          Left out for too few prefixes: {plan.left.map((l) => `${visible(l.slug)} (${l.prefixes})`).join(", ")}.
        </p>
      ) : null}
      {leaked > 0 ? (
        <p className="text-warn">
          {plural(leaked, "prefix is", "prefixes are")} of environments a checkpoint was trained in and will be marked.
        </p>
      ) : null}
    </div>
  );
}
