import Link from "next/link";
import { measurementHref } from "@/app/compare/search-params";
import { Term } from "@/components/ui/term";
import { checkpointFolder } from "@/lib/model/policy/checkpoint";
import { formatCount, formatMeanReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { StepMetrics } from "@/lib/train/run/metrics";
import { SELECTION, selectionCandidates } from "@/lib/train/select";

/** Checkpoints that were kept, and which of them selection would compare. */
export function Kept({
  steps,
  base,
}: {
  steps: { step: number; metrics: StepMetrics; checkpointId: number | null; checkpoint: string | null }[];
  /** What it was trained from; null where that is not stated. */
  base: string | null;
}) {
  const last = steps.findLast((s) => s.checkpoint !== null)?.checkpoint ?? null;
  const isHere = (name: string | null) => name !== null && checkpointFolder(name) !== null;
  const usable = steps.findLast((s) => isHere(s.checkpoint));
  const kept = steps.filter((s) => s.checkpointId !== null);
  const candidates = selectionCandidates(steps.map(({ metrics, ...s }) => ({ ...s, reward: metrics.reward })));
  const averageOf = (step: number) => candidates.find((c) => c.step === step)?.average;
  return (
    <section aria-labelledby="kept" className="flex flex-col gap-1.5">
      <div className="flex items-center gap-1">
        <h2 id="kept" className="font-medium">
          Checkpoints
        </h2>
        <Term name="checkpoint" />
      </div>
      {kept.length === 0 ? (
        <p className="text-sm text-muted">None kept yet.</p>
      ) : (
        <>
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
            {kept.map((s) => {
              const average = averageOf(s.step);
              return (
                <li key={s.step}>
                  <Link href={`/models/${s.checkpointId}`} prefetch={false} className="text-accent hover:underline">
                    step {formatCount(s.step)}
                  </Link>
                  {average === undefined ? null : <span className="text-muted"> {formatMeanReward(average)}</span>}
                </li>
              );
            })}
          </ul>
          {last === null ? null : (
            <p className="text-sm">
              The last one is <code className="foreign font-mono text-xs">{visible(last)}</code>.{" "}
              {usable?.checkpoint === last ? null : "Its weights are not on this machine. "}
              {usable?.checkpoint ? (
                <Link
                  href={measurementHref({
                    policy: [...(base !== null && isHere(base) ? [base] : []), usable.checkpoint],
                  })}
                  prefetch={false}
                  className="text-accent hover:underline"
                >
                  {usable.checkpoint === last
                    ? "Measure its misbehaviors"
                    : `Measure the misbehaviors of step ${formatCount(usable.step)}`}
                </Link>
              ) : null}
            </p>
          )}
          <p className="text-xs text-muted">
            With the mean training reward of the last {SELECTION.window} steps: the {SELECTION.candidates} highest are
            candidates, to be compared on environments of their own. The score there of the one that is chosen is
            optimistic.
          </p>
        </>
      )}
    </section>
  );
}
