import type { DryMeasurement } from "@/lib/jobs/measureJob";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** What a measurement would look at, in a few sentences. */
export function DryRun({ dry }: { dry: DryMeasurement }) {
  const { plan, policies, prefixes, samples, verdicts } = dry;
  const leaked = new Set(plan.leaks.flatMap((l) => l.prefixes)).size;
  return (
    <div role="status" className="text-sm">
      <p>
        {plural(samples, "sample")}: {plural(policies, "checkpoint")} x {plural(prefixes, "prefix", "prefixes")} of{" "}
        {plural(plan.misbehaviors.length, "misbehavior")} (
        {plan.misbehaviors.map((m) => `${visible(m.name)} ${formatCount(m.prefixes.length)}`).join(", ")});{" "}
        {plural(verdicts, "verdict")}.
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
