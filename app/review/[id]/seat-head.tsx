"use client";
import { CircleHelp, History, PanelRightOpen, Undo2 } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import type { Progress } from "@/lib/review/serve/progress";
import { formatDuration } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Name of the queue, how far one is, and the commands that are no answers. */
export function Head({
  queue,
  progress,
  onUndo,
  onJump,
  onHelp,
  onContext,
}: {
  queue: { name: string };
  progress: Progress;
  onUndo: () => void;
  onJump: () => void;
  onHelp: () => void;
  onContext: (() => void) | null;
}) {
  const { done, left, paceMs, timeLeftMs } = progress;
  const all = done + left;
  const percent = all === 0 ? 100 : Math.round((100 * done) / all);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-3 py-1.5">
      <h1 className="min-w-0 max-w-full truncate font-semibold">
        <Link href="/review" className="text-muted hover:underline">
          Review
        </Link>{" "}
        <span aria-hidden className="text-muted">
          /
        </span>{" "}
        {visible(queue.name)}
      </h1>
      <div className="flex min-w-40 flex-1 items-center gap-2 text-xs text-muted tabular-nums">
        <div
          role="progressbar"
          aria-label="Your progress"
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={`${done} done, ${left} left`}
          className="h-1.5 w-20 shrink-0 overflow-hidden rounded bg-raised sm:w-32"
        >
          <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
        <span>
          {done} done · {left} left
          {paceMs === null ? null : (
            <span className="max-sm:sr-only">
              {" "}
              · {formatDuration(paceMs)} an item
              {left > 0 && timeLeftMs !== null ? ` · about ${formatDuration(timeLeftMs)} to go` : ""}
            </span>
          )}
        </span>
      </div>
      <div className="flex items-center gap-1">
        <Button size="sm" variant="ghost" onClick={onUndo} aria-keyshortcuts="u">
          <Undo2 aria-hidden /> <span className="max-sm:sr-only">Undo</span> <Kbd>u</Kbd>
        </Button>
        <Button size="sm" variant="ghost" onClick={onJump} aria-keyshortcuts="g">
          <History aria-hidden /> <span className="max-sm:sr-only">Your answers</span> <Kbd>g</Kbd>
        </Button>
        {onContext ? (
          <Button size="sm" variant="ghost" onClick={onContext} aria-keyshortcuts="x">
            <PanelRightOpen aria-hidden /> <span className="max-sm:sr-only">Context</span> <Kbd>x</Kbd>
          </Button>
        ) : null}
        <Button size="sm" variant="ghost" onClick={onHelp} aria-label="Keys" aria-keyshortcuts="?">
          <CircleHelp aria-hidden /> <Kbd>?</Kbd>
        </Button>
      </div>
    </header>
  );
}
