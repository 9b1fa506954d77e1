"use client";
import { Timer, TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { cn } from "@/components/cn";
import { Badge } from "@/components/ui/badge";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { plural } from "@/lib/text/format";
import { plainLines } from "@/lib/text/glyphs";
import { hasControls } from "@/lib/text/terminal";
import { useReader } from "./context";
import { CopyButton } from "./copy-button";
import { Lines } from "./lines";
import { TextPart, useWholeText } from "./text-part";
import type { ObservationView, TextView } from "./types";

const MONO = "foreign px-3 py-1.5 font-mono text-[0.8125rem] leading-[1.45] [tab-size:8]";

interface Props {
  entry: number;
  observation: ObservationView;
  /** There is a command above that this belongs to. */
  attached: boolean;
  /** The step has several observations. */
  several: boolean;
}

/** What came back: as a terminal shows it, or raw. */
export function Output({ entry, observation, attached, several }: Props) {
  const { raw: rawDefault, isOn, toggle, wrap, find } = useReader();
  const { index, output, full, exitCode, timedOut, error } = observation;
  const rawKey = `${entry}:output${index}:raw`;
  const fullKey = `${entry}:output${index}:full`;
  const raw = rawDefault !== isOn(rawKey);
  const findsFull = find.active?.entry === entry && find.active.part === `full${index}`;
  const showFull = full !== null && (isOn(fullKey) || findsFull);
  const part = showFull ? `full${index}` : `output${index}`;
  const view = showFull ? full : output;
  const controls = view !== null && (hasControls(view.text) || hasControls(view.cut?.tail ?? ""));
  return (
    <div className={cn("group/out border bg-term text-term-text", attached ? "rounded-b-md border-t-0" : "rounded-md")}>
      <div className="flex min-h-7 flex-wrap items-center gap-1.5 border-b border-line/60 px-3 py-0.5 font-sans">
        <span className="text-2xs text-muted">{several ? `Output ${index + 1}` : "Output"}</span>
        <ExitBadge exitCode={exitCode} timedOut={timedOut} />
        {view ? <span className="text-2xs text-muted">{plural(view.chars, "character")}</span> : null}
        <span className="flex-1" />
        {full ? (
          <Toggle on={showFull} onClick={() => toggle(fullKey)}>
            {showFull ? "what the policy saw" : "whole output"}
          </Toggle>
        ) : null}
        {controls || observation.wrapped || observation.before !== "" ? (
          <Toggle on={raw} onClick={() => toggle(rawKey)}>
            {raw ? "rendered" : "raw"}
          </Toggle>
        ) : null}
        {view && view.chars > 0 ? <Copy entry={entry} part={part} view={view} /> : null}
      </div>
      {full && !showFull ? (
        <p className="px-3 pt-1 font-sans text-xs text-warn">
          The policy saw this shortened text; the whole output is kept.
        </p>
      ) : null}
      {error === null ? null : <ErrorText entry={entry} part={`error${index}`} text={error} />}
      {raw ? (
        <ScrollPre className={cn(MONO, wrap ? "whitespace-pre-wrap" : "overflow-x-auto")}>
          {showFull ? null : <Around text={observation.before} />}
          {view ? <TextPart entry={entry} part={part} view={view} at={observation.outputAt} /> : null}
          {showFull ? null : <Around text={observation.after} />}
        </ScrollPre>
      ) : (
        <>
          {observation.wrapped && !showFull ? <Wrapping text={observation.before} /> : null}
          {view === null || view.chars === 0 ? (
            <p className="px-3 py-1.5 font-sans text-xs text-muted">
              {view === null ? "No output is recorded." : "The output is empty."}
            </p>
          ) : (
            <ScrollPre className={cn(MONO, wrap ? "whitespace-pre-wrap" : "overflow-x-auto")}>
              <TextPart entry={entry} part={part} view={view} terminal at={observation.outputAt} />
            </ScrollPre>
          )}
          {observation.wrapped && !showFull ? <Wrapping text={observation.after} /> : null}
        </>
      )}
    </div>
  );
}

function Copy({ entry, part, view }: { entry: number; part: string; view: TextView }) {
  const whole = useWholeText(entry, part);
  return (
    <span className="opacity-60 group-hover/out:opacity-100 focus-within:opacity-100">
      <CopyButton label="Copy output exactly" text={() => whole(view)} />
    </span>
  );
}

function Toggle({ on, onClick, children }: { on: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className="rounded px-1.5 text-2xs text-accent hover:bg-accent-soft"
    >
      {children}
    </button>
  );
}

/** Exit code of a command; zero, non-zero, timed out and unknown look different. */
export function ExitBadge({ exitCode, timedOut }: { exitCode: number | null; timedOut: boolean }) {
  return (
    <>
      {timedOut ? (
        <Badge tone="bad">
          <Timer aria-hidden /> timed out
        </Badge>
      ) : null}
      {exitCode === null ? null : exitCode === 0 ? (
        <Badge>exit 0</Badge>
      ) : (
        <Badge tone="bad">
          <TriangleAlert aria-hidden /> exit {exitCode}
        </Badge>
      )}
    </>
  );
}

function Around({ text }: { text: string }) {
  const lines = useMemo(() => plainLines(text), [text]);
  return text === "" ? null : (
    <span className="text-muted">
      <Lines lines={lines} find={null} active={null} evidence={null} />
    </span>
  );
}

function Wrapping({ text }: { text: string }) {
  return text.trim() === "" ? null : (
    <pre className={cn(MONO, "whitespace-pre-wrap text-muted")} title="Put around the output by the harness">
      <Around text={text.trim()} />
    </pre>
  );
}

function ErrorText({ entry, part, text }: { entry: number; part: string; text: string }) {
  const { find } = useReader();
  const lines = useMemo(() => plainLines(text), [text]);
  const active = find.active?.entry === entry && find.active.part === part ? find.active.n : null;
  return (
    <div className="flex gap-2 border-b border-line/60 px-3 py-1 text-bad">
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      <pre className="foreign font-mono text-xs whitespace-pre-wrap">
        <Lines lines={lines} find={find.pattern} active={active} evidence={null} />
      </pre>
    </div>
  );
}
