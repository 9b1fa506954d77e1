import Link from "next/link";
import { OutcomeBadge } from "@/components/data/outcome";
import { Stated } from "@/components/data/stated";
import type { TrajectoryRow } from "@/db/queries/trajectories";
import { formatCost, formatCount, formatDuration, formatShort } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Who a column is, how it ended, and what it took. */
export function ColumnHead({ trajectory: t }: { trajectory: TrajectoryRow }) {
  return (
    <div className="flex flex-col gap-1">
      <Link href={`/trajectories/${t.id}`} className="foreign line-clamp-2 font-medium hover:underline">
        {visible(t.name ?? `Trajectory ${t.id}`)}
      </Link>
      <span className="foreign truncate text-xs font-normal text-muted">
        {visible([t.model, t.task].filter(Boolean).join(" · "))}
      </span>
      <span className="font-normal">
        <OutcomeBadge outcome={t.outcome} reward={t.reward} exception={t.exceptionType} />
      </span>
      <span className="text-xs font-normal text-muted">
        {formatCount(t.steps)} steps, {formatCount(t.errorSteps)} flagged,{" "}
        <Stated value={t.tokens}>{formatShort}</Stated> tokens, cost <Stated value={t.costUsd}>{formatCost}</Stated>,{" "}
        took <Stated value={t.durationMs}>{formatDuration}</Stated>
      </span>
    </div>
  );
}
