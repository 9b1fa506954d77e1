import { Ban, Check } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { Runnable } from "@/lib/environment/types";

/** Drivers that can run an environment here, or the first reason why none can. */
export function RunsHere({ runnable }: { runnable: Runnable[] | null }) {
  if (runnable === null) return <span className="text-muted">no files</span>;
  const can = runnable.filter((r) => r.ok);
  if (can.length > 0)
    return (
      <span className="flex flex-wrap gap-1">
        {can.map((r) => (
          <Badge key={r.driver} tone="good" title={r.reasons.join("\n") || undefined}>
            <Check aria-hidden />
            {r.driver}
          </Badge>
        ))}
      </span>
    );
  const all = runnable.flatMap((r) => r.reasons.map((reason) => `${r.driver}: ${reason}`));
  return (
    <span className="flex flex-col gap-0.5" title={all.join("\n")}>
      <Badge tone="neutral" className="self-start">
        <Ban aria-hidden /> nowhere
      </Badge>
      <span className="line-clamp-2 text-xs text-muted">{runnable[0]?.reasons[0] ?? "no driver is known"}</span>
    </span>
  );
}
