"use client";
import { useMemo, useState } from "react";
import { cn } from "@/components/cn";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { plural } from "@/lib/text/format";
import { plainLines } from "@/lib/text/glyphs";
import { hasControls, renderTerminal } from "@/lib/text/terminal";
import { CopyButton } from "./copy-button";
import { Lines } from "./lines";

interface Props {
  /** The text as a JSON string: it keeps lone surrogates, which the page's own transport does not. */
  json: string;
  terminal?: boolean;
  label: string;
}

/** A text out of a file on its own: as a terminal shows it, or raw. */
export function ForeignText({ json, terminal, label }: Props) {
  const text = useMemo(() => JSON.parse(json) as string, [json]);
  const [raw, setRaw] = useState(false);
  const interpreted = terminal === true && !raw;
  const lines = useMemo(() => (interpreted ? renderTerminal(text) : plainLines(text)), [interpreted, text]);
  return (
    <section aria-label={label} className="rounded-md border bg-term text-term-text">
      <div className="flex min-h-7 items-center gap-2 border-b border-line/60 px-3 text-2xs text-muted">
        <span>{plural(text.length, "character")}</span>
        <span className="flex-1" />
        {terminal && hasControls(text) ? (
          <button
            type="button"
            aria-pressed={raw}
            className="rounded px-1.5 text-accent hover:bg-accent-soft"
            onClick={() => setRaw(!raw)}
          >
            {raw ? "rendered" : "raw"}
          </button>
        ) : null}
        <CopyButton label={`Copy ${label}`} text={() => text} />
      </div>
      <ScrollPre
        className={cn(
          "foreign max-h-[75dvh] overflow-auto px-3 py-1.5 font-mono text-[0.8125rem] leading-[1.45] whitespace-pre-wrap [tab-size:8]",
        )}
      >
        {text === "" ? (
          <span className="font-sans text-xs text-muted">empty</span>
        ) : (
          <Lines lines={lines} find={null} active={null} evidence={null} />
        )}
      </ScrollPre>
    </section>
  );
}
