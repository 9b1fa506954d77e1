"use client";
import { useMemo } from "react";
import { cn } from "@/components/cn";
import { codeLines } from "./code-lines";
import { useReader } from "./context";
import { CopyButton } from "./copy-button";
import { Lines } from "./lines";
import type { CallView } from "./types";

/** The command of a step, highlighted. */
export function Command({ entry, call }: { entry: number; call: CallView }) {
  const { find, evidence, wrap } = useReader();
  const lines = useMemo(() => (call.command ? codeLines(call.command) : null), [call.command]);
  const range = useMemo<[number, number] | null>(
    () => (evidence?.entry === entry && evidence.part === "command" ? [evidence.start, evidence.end] : null),
    [evidence, entry],
  );
  if (!lines) return null;
  const active = find.active?.entry === entry && find.active.part === "command" ? find.active.n : null;
  return (
    <div className="group/code relative flex rounded-t-md border bg-surface">
      <span
        aria-hidden
        className="shrink-0 py-1.5 pl-3 font-mono text-[0.8125rem] leading-[1.45] text-accent select-none"
      >
        $
      </span>
      <pre
        className={cn(
          "foreign min-w-0 flex-1 px-2 py-1.5 font-mono text-[0.8125rem] leading-[1.45] [tab-size:8]",
          wrap ? "whitespace-pre-wrap" : "overflow-x-auto",
        )}
      >
        <Lines lines={lines} find={find.pattern} active={active} evidence={range} />
      </pre>
      <div className="opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100">
        <CopyButton label="Copy command" text={() => call.commandText ?? ""} />
      </div>
    </div>
  );
}
