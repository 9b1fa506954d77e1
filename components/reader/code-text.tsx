"use client";
import { useMemo } from "react";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { codeLines } from "./code-lines";
import { CopyButton } from "./copy-button";
import { Lines } from "./lines";
import type { CodeToken } from "./types";

interface Props {
  /** Highlighted tokens as a JSON string: it keeps lone surrogates, which the page's own transport does not. */
  json: string;
  label: string;
  /** What the bar above the text says. */
  note: string;
}

/** A file's text on its own, highlighted. Never HTML. */
export function CodeText({ json, label, note }: Props) {
  const tokens = useMemo(() => JSON.parse(json) as CodeToken[], [json]);
  const lines = useMemo(() => codeLines(tokens), [tokens]);
  return (
    <section aria-label={label} className="min-w-0 rounded-md border bg-surface">
      <div className="flex min-h-7 items-center gap-2 border-b border-line/60 px-3 text-2xs text-muted">
        <span className="foreign">{note}</span>
        <span className="flex-1" />
        <CopyButton label={`Copy ${label}`} text={() => tokens.map(([, text]) => text).join("")} />
      </div>
      <ScrollPre className="foreign max-h-[70dvh] overflow-auto px-3 py-1.5 font-mono text-[0.8125rem] leading-[1.45] [tab-size:8]">
        {/* Browsers drop a line feed right after <pre>, so the text may not begin there. */}
        <code>
          {tokens.every(([, text]) => text === "") ? (
            <span className="font-sans text-xs text-muted">empty</span>
          ) : (
            <Lines lines={lines} find={null} active={null} evidence={null} />
          )}
        </code>
      </ScrollPre>
    </section>
  );
}
