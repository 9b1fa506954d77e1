"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Split, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useRef } from "react";
import { cn } from "@/components/cn";
import { Button } from "@/components/ui/button";
import type { ComparedStep } from "@/db/queries/compare";
import type { AlignedRow } from "@/lib/text/align";
import { visible } from "@/lib/text/glyphs";

interface Props {
  heads: React.ReactNode[];
  ids: number[];
  columns: ComparedStep[][];
  rows: AlignedRow[];
  parting: number | null;
}

const ROW = 30;
const COLUMN = 260;

/** The aligned steps, one row each; where the columns part is marked. */
export function Alignment({ heads, ids, columns, rows, parting }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 1200, height: 900 },
  });
  const grid = {
    gridTemplateColumns: `repeat(${ids.length}, minmax(${COLUMN}px, 1fr))`,
    minWidth: ids.length * COLUMN,
  };
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <div className="sticky top-0 z-10 grid border-b bg-surface" style={grid}>
        {heads.map((head, c) => (
          <div key={ids[c]} className="min-w-0 border-l px-3 py-2 first:border-l-0">
            {head}
          </div>
        ))}
        {parting === null ? null : (
          <div className="col-span-full border-t px-3 py-1">
            <Button size="sm" variant="ghost" onClick={() => virtualizer.scrollToIndex(parting, { align: "center" })}>
              <Split aria-hidden /> Go to where they part
            </Button>
          </div>
        )}
      </div>
      <div className="relative" style={{ height: virtualizer.getTotalSize(), minWidth: grid.minWidth }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return (
            <div
              key={item.key}
              className={cn(
                "absolute inset-x-0 top-0 grid border-b text-sm",
                row.same ? "bg-surface" : "bg-bg",
                item.index === parting && "bg-warn-soft outline-2 -outline-offset-2 outline-warn",
              )}
              style={{ ...grid, height: ROW, transform: `translateY(${item.start}px)` }}
            >
              {row.steps.map((step, c) => (
                <Cell
                  key={ids[c]}
                  id={ids[c] ?? 0}
                  step={step === null ? null : (columns[c]?.[step] ?? null)}
                  parts={item.index === parting}
                />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cell({ id, step, parts }: { id: number; step: ComparedStep | null; parts: boolean }) {
  if (!step)
    return (
      <div className="border-l bg-[repeating-linear-gradient(-45deg,transparent_0_6px,var(--raised)_6px_8px)] first:border-l-0">
        <span className="sr-only">no such step</span>
      </div>
    );
  const text = visible(step.preview);
  return (
    <Link
      href={`/trajectories/${id}?step=${step.number}`}
      prefetch={false}
      title={text}
      className="flex min-w-0 items-center gap-2 border-l px-3 first:border-l-0 hover:bg-accent-soft"
    >
      <span className="w-7 shrink-0 text-right text-xs text-muted tabular-nums">{step.number}</span>
      {parts ? <Split className="size-3.5 shrink-0 text-warn" aria-label="they part here" /> : null}
      <span
        className={cn(
          "foreign min-w-0 flex-1 truncate",
          step.isCommand ? "font-mono text-xs" : "text-muted italic",
          step.rejected && "line-through decoration-muted",
        )}
      >
        {text || "(empty)"}
      </span>
      {step.flagged ? <TriangleAlert className="size-3.5 shrink-0 text-bad" aria-label="flagged" /> : null}
      {step.rejected ? <span className="shrink-0 text-2xs text-muted">not run</span> : null}
      {step.timedOut ? <span className="text-2xs text-bad">timed out</span> : null}
      {step.exitCode ? <span className="shrink-0 text-2xs text-bad">exit {step.exitCode}</span> : null}
    </Link>
  );
}
