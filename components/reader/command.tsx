"use client";
import { useMemo } from "react";
import { cn } from "@/components/cn";
import { ScrollPre } from "@/components/ui/scroll-pre";
import { codeLines, type Stretches } from "./code-lines";
import { useReader } from "./context";
import { CopyButton } from "./copy-button";
import { Lines } from "./lines";
import type { CallView } from "./types";

/** The command of a step, highlighted. `struck`: it did not run. `changed`: words that another command does not have. */
export function Command({
  entry,
  call,
  struck,
  changed,
  whole,
}: {
  entry: number;
  call: CallView;
  struck?: boolean;
  changed?: Stretches;
  /** Nothing follows below it. */
  whole?: boolean;
}) {
  const { find, evidence, wrap } = useReader();
  const lines = useMemo(() => (call.command ? codeLines(call.command, changed) : null), [call.command, changed]);
  const range = useMemo<[number, number] | null>(
    () => (evidence?.entry === entry && evidence.part === "command" ? [evidence.start, evidence.end] : null),
    [evidence, entry],
  );
  if (!lines) return null;
  const active = find.active?.entry === entry && find.active.part === "command" ? find.active.n : null;
  return (
    <div
      className={cn(
        "group/code relative flex border bg-surface",
        struck || whole ? "rounded-md" : "rounded-t-md",
        struck && "border-dashed",
      )}
    >
      <span
        aria-hidden
        className="shrink-0 py-1.5 pl-3 font-mono text-[0.8125rem] leading-[1.45] text-accent select-none"
      >
        {struck ? "✕" : "$"}
      </span>
      <ScrollPre
        className={cn(
          "foreign min-w-0 flex-1 px-2 py-1.5 font-mono text-[0.8125rem] leading-[1.45] [tab-size:8]",
          wrap ? "whitespace-pre-wrap" : "overflow-x-auto",
          struck && "line-through decoration-muted",
        )}
      >
        <Lines lines={lines} find={find.pattern} active={active} evidence={range} />
      </ScrollPre>
      <div className="opacity-0 group-focus-within/code:opacity-100 group-hover/code:opacity-100">
        <CopyButton label="Copy command" text={() => call.commandText ?? ""} />
      </div>
    </div>
  );
}
