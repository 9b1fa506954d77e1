"use client";
import { ArrowLeft, CornerDownLeft } from "lucide-react";
import Link from "next/link";
import { useCallback, useRef, useState } from "react";
import { OpenFork } from "@/app/prefixes/[id]/fork/open-fork";
import { LiveTerminal, type LiveTerminalHandle } from "@/components/terminal/live-terminal";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { ForkPrefix } from "@/db/queries/fork";
import type { ForkView } from "@/lib/prefix/fork/types";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

interface Props {
  prefix: ForkPrefix;
  forkId: string;
  /** null: the server does not know it any more. */
  view: ForkView | null;
  /** Trajectory its commands are stored in. */
  branch: number | null;
}

const TONES = { restoring: "neutral", open: "good", ended: "neutral", failed: "bad" } as const;

function stateText(view: ForkView): string {
  if (view.state === "restoring") return `restoring: ${view.restored} of ${plural(view.commands, "command")}`;
  if (view.state === "open") return "open";
  return view.state === "failed" ? "not reached" : "closed";
}

/** The terminal and what belongs to it. */
export function ForkScreen({ prefix, forkId, view: first, branch: stored }: Props) {
  const [view, setView] = useState(first);
  const [down, setDown] = useState<string | null>(null);
  const terminal = useRef<LiveTerminalHandle>(null);
  const onState = useCallback((next: ForkView) => setView(next), []);
  const onDown = useCallback((reason: string | null) => setDown(reason), []);
  const [gone, setGone] = useState(first === null);
  const onGone = useCallback(() => setGone(true), []);
  const branch = view?.trajectoryId ?? stored;
  const place = prefix.number === null ? `entry ${prefix.index}` : `step ${prefix.number}`;
  const live = view !== null && !gone && (view.state === "restoring" || view.state === "open");
  return (
    <div className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-2">
        <Link
          href={`/prefixes/${prefix.prefixId}`}
          aria-label={`Back to prefix ${prefix.prefixId}`}
          className="rounded-md p-1 text-muted hover:bg-raised hover:text-text"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 font-semibold">
          Terminal before {place} of{" "}
          <span className="foreign">{visible(prefix.trajectoryName ?? `trajectory ${prefix.trajectoryId}`)}</span>
        </h1>
        <span role="status" className="flex items-center gap-2 text-sm">
          {view === null || gone ? <Badge>closed</Badge> : <Badge tone={TONES[view.state]}>{stateText(view)}</Badge>}
          {view?.reason ? <span className="foreign text-muted">{visible(view.reason)}</span> : null}
          {gone && first !== null ? (
            <span className="text-warn">
              The server does not have this terminal any more. What ended in it is stored.
            </span>
          ) : null}
          {down !== null && live ? <span className="text-warn">{down}</span> : null}
        </span>
        <span className="ml-auto flex items-center gap-2">
          {live ? (
            <Button size="sm" variant="danger" onClick={() => terminal.current?.close()}>
              Close the terminal
            </Button>
          ) : null}
          {live ? null : <OpenFork prefixId={prefix.prefixId} refused={null} />}
        </span>
      </header>
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <section aria-label="Terminal" className="min-h-0 flex-1 bg-term p-2">
          {first === null ? (
            <p className="p-4 text-sm text-muted">
              This terminal was closed.{" "}
              {branch === null ? "Nothing was run in it." : "What was run in it is stored as a branch."}
            </p>
          ) : (
            <LiveTerminal ref={terminal} forkId={forkId} onState={onState} onDown={onDown} onGone={onGone} />
          )}
        </section>
        <aside className="flex max-h-[45%] w-full shrink-0 flex-col gap-4 overflow-y-auto border-t p-3 text-sm lg:max-h-none lg:w-80 lg:border-t-0 lg:border-l">
          <Next
            title={`Recorded as ${place}`}
            command={prefix.recorded}
            open={live && view.state === "open"}
            onUse={(c) => terminal.current?.paste(c)}
          />
          {prefix.corrections.map((c) => (
            <Next
              key={c.id}
              title={c.source === "teacher" ? "The teacher's command" : `Correction (${c.source})`}
              note={c.thinking}
              command={c.command}
              open={live && view.state === "open"}
              onUse={(command) => terminal.current?.paste(command)}
            />
          ))}
          <section>
            <h2 className="mb-1 font-medium">Branch</h2>
            <p className="text-muted">
              {branch === null
                ? "Commands you run here are stored as a branch of the trajectory, one by one as they end."
                : `${plural(view?.ran ?? 0, "command")} stored in `}
              {branch === null ? null : (
                <Link href={`/trajectories/${branch}`} className="text-accent hover:underline" prefetch={false}>
                  trajectory {branch}
                </Link>
              )}
            </p>
          </section>
          <p className="text-muted">
            The terminal runs in a sandbox of its own, without network. It closes after 30 minutes without typing, or 2
            minutes after the last page that shows it is gone. Tab is the shell's; Shift+Tab leaves the terminal.
          </p>
        </aside>
      </div>
    </div>
  );
}

/** A command that may come next; pressing puts it on the prompt, Enter runs it. */
function Next({
  title,
  note,
  command,
  open,
  onUse,
}: {
  title: string;
  note?: string | null;
  command: string | null;
  open: boolean;
  onUse(command: string): void;
}) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1 font-medium">{title}</h2>
      {note ? <p className="foreign mb-1 text-muted">{visible(note)}</p> : null}
      {command === null ? (
        <p className="text-muted">It runs no command.</p>
      ) : (
        <>
          <pre className="foreign max-h-40 overflow-auto rounded-md border bg-surface p-2 font-mono text-xs whitespace-pre-wrap">
            {visible(command)}
          </pre>
          <Button size="sm" className="mt-1.5" disabled={!open} onClick={() => onUse(command)}>
            <CornerDownLeft aria-hidden />
            Put it on the prompt
          </Button>
        </>
      )}
    </section>
  );
}
