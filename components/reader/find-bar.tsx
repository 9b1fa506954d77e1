"use client";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { formatCount } from "@/lib/text/format";
import type { Find } from "./use-find";

function said(find: Find): string {
  if (find.status === "idle") return "";
  if (find.status === "looking") return "looking…";
  if (find.status === "failed") return "finding failed";
  if (find.total === 0) return "not found";
  return `${formatCount(find.at + 1)} of ${formatCount(find.total)}${find.capped ? "+" : ""}`;
}

/** Find over everything of a trajectory. Each new `focus` above 0 takes the focus. Enter goes on, Shift+Enter back, Escape closes. */
export function FindBar({ find, focus }: { find: Find; focus: number }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Where the focus was before goes on being where it is when the bar is closed.
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (focus === 0) return;
    input.current?.focus({ preventScroll: true });
    input.current?.select();
  }, [focus]);
  return (
    <search className="absolute top-2 right-14 left-2 z-20 flex items-center gap-1 rounded-md border bg-surface p-1 shadow-lg sm:left-auto sm:w-96">
      <Input
        ref={input}
        type="text"
        aria-label="Find in this trajectory"
        placeholder="Find in this trajectory"
        className="h-7 flex-1 border-0"
        value={find.query}
        onChange={(event) => find.setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") find.move(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") find.close();
        }}
      />
      <span aria-live="polite" className="px-1 text-xs whitespace-nowrap text-muted tabular-nums">
        {said(find)}
      </span>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label="Previous match"
        disabled={find.total === 0}
        onClick={() => find.move(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label="Next match"
        disabled={find.total === 0}
        onClick={() => find.move(1)}
      >
        <ChevronDown aria-hidden />
      </Button>
      <Button size="icon-sm" variant="ghost" aria-label="Close find" onClick={find.close}>
        <X aria-hidden />
      </Button>
    </search>
  );
}
