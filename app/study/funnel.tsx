import Link from "next/link";
import type { FunnelStage } from "@/lib/study/report/types";
import { formatCount } from "@/lib/text/format";

/** From environments to what training starts from, each beside the paper's number. */
export function Funnel({ stages }: { stages: readonly FunnelStage[] }) {
  return (
    <ol
      aria-label="Funnel of the study"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-4 xl:grid-cols-7"
    >
      {stages.map((stage) => {
        const body = (
          <>
            <span className="text-xs text-muted">{stage.name}</span>
            <span className="text-xl font-semibold tabular-nums">
              {stage.value === null ? (
                <span className="text-base font-normal text-muted">not there yet</span>
              ) : (
                formatCount(stage.value)
              )}
            </span>
            <span className="text-xs text-pretty text-muted">
              {stage.note}
              {stage.published === null ? "" : `; published ${formatCount(stage.published)}`}
            </span>
          </>
        );
        return (
          <li key={stage.name} className="bg-surface last:col-span-2 xl:last:col-span-1">
            {stage.href && stage.value !== null ? (
              <Link href={stage.href} prefetch={false} className="flex h-full flex-col px-3 py-2 hover:bg-raised">
                {body}
              </Link>
            ) : (
              <div className="flex h-full flex-col px-3 py-2">{body}</div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
