"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UnfoldVertical } from "lucide-react";
import { useMemo } from "react";
import { cn } from "@/components/cn";
import { countMatches } from "@/lib/text/find";
import { formatCount } from "@/lib/text/format";
import { type Line, plainLines } from "@/lib/text/glyphs";
import { renderTerminal } from "@/lib/text/terminal";
import { type Evidence, useReader } from "./context";
import { fetchWhole, keys } from "./fetching";
import { Lines } from "./lines";
import { partOf } from "./part-of";
import type { TextView } from "./types";

const noRange = null;

/** Whether evidence points into this part, and where, in offsets of the part's own text. */
function rangeOf(evidence: Evidence | null, entry: number, part: string, at: number): [number, number] | null {
  if (!evidence || evidence.entry !== entry) return noRange;
  const meant = evidence.part === "output" ? /^output\d+$/.test(part) : evidence.part === part;
  return meant ? [evidence.start - at, evidence.end - at] : noRange;
}

/** Without the empty lines around what was said; the text itself, and so every offset into it, stays. */
function withoutBlankEnds(lines: Line[], end: boolean): Line[] {
  const first = lines.findIndex((line) => line.length > 0);
  if (first < 0) return lines;
  return lines.slice(first, end ? lines.findLastIndex((line) => line.length > 0) + 1 : undefined);
}

interface Props {
  entry: number;
  part: string;
  view: TextView;
  /** Read as a terminal would; else nothing is interpreted. */
  terminal?: boolean;
  /** Where this text starts in what evidence offsets count. */
  at?: number;
  className?: string;
}

/** One text of an entry: folded when long, opened on request, by find or by evidence that lies in what is folded. */
export function TextPart({ entry, part, view, terminal, at = 0, className }: Props) {
  const { trajectoryId, find, evidence, detailOf, isOn, toggle } = useReader();
  const active = find.active?.entry === entry && find.active.part === part ? find.active.n : null;
  const range = rangeOf(evidence, entry, part, at);
  const rangeStart = range?.[0] ?? null;
  const rangeEnd = range?.[1] ?? null;
  const marked = useMemo<[number, number] | null>(
    () => (rangeStart === null || rangeEnd === null ? null : [rangeStart, rangeEnd]),
    [rangeStart, rangeEnd],
  );
  const key = `${entry}:${part}:open`;
  const hidden = marked !== null && view.cut !== null && marked[1] > view.text.length && marked[0] < view.cut.tailAt;
  const open = view.cut !== null && (isOn(key) || detailOf(entry) === "whole" || active !== null || hidden);
  const whole = useQuery({
    queryKey: keys.whole(trajectoryId, entry),
    queryFn: () => fetchWhole(trajectoryId, entry),
    enabled: open,
  });
  const opened = open && whole.data ? partOf(whole.data, part) : null;
  const shown = opened ?? view;
  const tail = shown.cut;
  const render = terminal ? renderTerminal : plainLines;
  const said = part === "message" || part === "thinking";
  const head = useMemo(() => {
    const all = render(shown.text);
    return said ? withoutBlankEnds(all, tail === null) : all;
  }, [render, shown.text, said, tail]);
  const tailLines = useMemo(() => (tail ? render(tail.tailSgr + tail.tail) : null), [render, tail]);
  const headMatches = useMemo(
    () => (find.pattern && tail ? countMatches(head, find.pattern) : 0),
    [head, find.pattern, tail],
  );
  const tailRange = useMemo<[number, number] | null>(() => {
    if (!marked || !tail) return null;
    const shift = tail.tailAt - tail.tailSgr.length;
    return [marked[0] - shift, marked[1] - shift];
  }, [marked, tail]);
  return (
    <div className={className}>
      <Lines lines={head} find={find.pattern} active={active} evidence={marked} />
      {tail && tailLines ? (
        <>
          <Gap
            omittedLines={tail.omittedLines}
            omittedChars={tail.omittedChars}
            state={open ? (whole.isError ? "failed" : "loading") : "folded"}
            onShow={() => (open ? whole.refetch() : toggle(key))}
          />
          <Lines lines={tailLines} find={find.pattern} matchesBefore={headMatches} active={null} evidence={tailRange} />
        </>
      ) : null}
      {opened && !opened.cut && isOn(key) ? (
        <button
          type="button"
          className="my-1 block rounded px-2 font-sans text-xs text-accent hover:underline"
          onClick={() => toggle(key)}
        >
          Fold again
        </button>
      ) : null}
    </div>
  );
}

function Gap({
  omittedLines,
  omittedChars,
  state,
  onShow,
}: {
  omittedLines: number;
  omittedChars: number;
  state: "folded" | "loading" | "failed";
  onShow: () => void;
}) {
  const left = `${formatCount(omittedLines)} lines / ${formatCount(omittedChars)} characters left out`;
  return (
    <button
      type="button"
      onClick={onShow}
      className={cn(
        "my-1 flex w-full items-center justify-center gap-2 rounded border border-dashed border-line-strong/60 bg-surface px-2 py-1 font-sans text-xs text-accent hover:bg-accent-soft",
        state === "failed" && "text-bad",
      )}
    >
      <UnfoldVertical className="size-3.5" aria-hidden />
      {state === "failed"
        ? `${left}: fetching failed, try again`
        : state === "loading"
          ? `${left}: fetching…`
          : `${left}: show`}
    </button>
  );
}

/** Gives a text of an entry whole and exactly as stored, fetching it when only a part is here. */
export function useWholeText(entry: number, part: string): (view: TextView) => string | Promise<string> {
  const { trajectoryId } = useReader();
  const client = useQueryClient();
  return async (view) => {
    if (!view.cut) return view.text;
    const whole = await client.fetchQuery({
      queryKey: keys.whole(trajectoryId, entry),
      queryFn: () => fetchWhole(trajectoryId, entry),
    });
    return partOf(whole, part)?.text ?? view.text;
  };
}
