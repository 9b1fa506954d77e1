import Link from "next/link";
import { formatCount } from "@/lib/text/format";
import type { StepMetrics } from "@/lib/train/run/metrics";

/** Checkpoints that were kept, with the step they are of. */
export function Kept({ steps }: { steps: { step: number; metrics: StepMetrics; checkpointId: number | null }[] }) {
  const kept = steps.filter((s) => s.checkpointId !== null);
  return (
    <section aria-labelledby="kept" className="flex flex-col gap-1.5">
      <h2 id="kept" className="font-medium">
        Checkpoints
      </h2>
      {kept.length === 0 ? (
        <p className="text-sm text-muted">None kept yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
          {kept.map((s) => (
            <li key={s.step}>
              <Link href={`/models/${s.checkpointId}`} prefetch={false} className="text-accent hover:underline">
                step {formatCount(s.step)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
