"use client";
import { useState } from "react";
import { cn } from "@/components/cn";
import type { Difference, DiffLine, DiffRow } from "@/lib/prefix/difference";
import { formatCount, plural } from "@/lib/text/format";
import { plainLines } from "@/lib/text/glyphs";

/** Equal lines shown around a change; longer equal stretches are folded. */
const CONTEXT = 3;
const MONO = "foreign font-mono text-[0.8125rem] leading-[1.45] whitespace-pre-wrap [tab-size:8]";

type Piece = { at: number; kind: "rows"; rows: DiffRow[] } | { at: number; kind: "fold"; rows: DiffRow[] };

function piecesOf(rows: DiffRow[]): Piece[] {
  const pieces: Piece[] = [];
  for (let i = 0; i < rows.length; ) {
    let j = i;
    const same = rows[i]?.same ?? false;
    while (j < rows.length && rows[j]?.same === same) j++;
    const head = same ? Math.min(j, i === 0 ? i : i + CONTEXT) : j;
    const tail = same ? Math.max(head, j === rows.length ? j : j - CONTEXT) : j;
    const add = (kind: Piece["kind"], from: number, to: number) => {
      if (to > from) pieces.push({ at: from, kind, rows: rows.slice(from, to) });
    };
    if (!same || tail - head <= 2) add("rows", i, j);
    else {
      add("rows", i, head);
      add("fold", head, tail);
      add("rows", tail, j);
    }
    i = j;
  }
  return pieces;
}

/** Recorded beside rerun, line by line; changed characters are underlined and marked for screen readers as deleted and inserted. */
export function DiffView({ difference }: { difference: Difference }) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <div className="overflow-hidden rounded-md border bg-term text-term-text">
      <div className="hidden border-b border-line/60 font-sans text-2xs text-muted md:grid md:grid-cols-2">
        <span className="px-3 py-1">Recorded</span>
        <span className="border-l border-line/60 px-3 py-1">Rerun</span>
      </div>
      {piecesOf(difference.rows).map((piece) =>
        piece.kind === "fold" && !open.has(piece.at) ? (
          <button
            key={piece.at}
            type="button"
            className="block w-full border-y border-dashed border-line-strong/50 bg-surface px-3 py-0.5 text-left font-sans text-xs text-accent hover:bg-accent-soft"
            onClick={() => setOpen(new Set(open).add(piece.at))}
          >
            {plural(piece.rows.length, "equal line")}: show
          </button>
        ) : (
          piece.rows.map((row) => <Row key={`${row.recorded?.number ?? "-"}/${row.rerun?.number ?? "-"}`} row={row} />)
        ),
      )}
      {difference.cut.length > 0 ? (
        <p className="border-t border-line/60 px-3 py-1 font-sans text-xs text-warn">{difference.cut.join("; ")}.</p>
      ) : null}
    </div>
  );
}

function Row({ row }: { row: DiffRow }) {
  return (
    <div className={cn("grid md:grid-cols-2", !row.same && "bg-warn-soft/25")}>
      <Side line={row.recorded} side="recorded" same={row.same} />
      <Side line={row.rerun} side="rerun" same={row.same} />
    </div>
  );
}

function Side({ line, side, same }: { line: DiffLine | null; side: "recorded" | "rerun"; same: boolean }) {
  const sign = same || line === null ? "" : side === "recorded" ? "−" : "+";
  return (
    <div
      className={cn(
        "flex min-w-0",
        side === "rerun" && "border-line/60 md:border-l",
        side === "rerun" && same && "max-md:hidden",
        line === null && "max-md:hidden",
      )}
    >
      <span
        aria-hidden
        className="flex w-12 shrink-0 justify-end gap-1 pr-2 text-right font-mono text-2xs leading-[1.7] text-muted select-none"
      >
        <span>{sign}</span>
        <span>{line === null ? "" : formatCount(line.number)}</span>
      </span>
      {line === null ? (
        <span className="px-2 font-sans text-xs text-muted">no such line</span>
      ) : (
        <span className={cn(MONO, "block min-h-[1.45em] min-w-0 flex-1 pr-2")}>
          {same ? null : <span className="sr-only">{side}: </span>}
          <Segments line={line} side={side} />
        </span>
      )}
    </div>
  );
}

function Segments({ line, side }: { line: DiffLine; side: "recorded" | "rerun" }) {
  let at = 0;
  return line.segments.map((segment) => {
    const key = at;
    at += segment.text.length;
    const text = <Text key={key} text={segment.text} />;
    if (!segment.changed) return text;
    return side === "recorded" ? (
      <del key={key} className="rounded-xs border-b-2 border-bad bg-bad-soft text-bad no-underline">
        {text}
      </del>
    ) : (
      <ins key={key} className="rounded-xs border-b-2 border-dotted border-good bg-good-soft text-good no-underline">
        {text}
      </ins>
    );
  });
}

/** Text with invisible characters as glyphs. */
function Text({ text }: { text: string }) {
  return (plainLines(text)[0] ?? []).map((run) =>
    run.glyph ? (
      <span key={run.at} className="glyph" title={run.glyph.name} role="img" aria-label={run.glyph.name}>
        {run.glyph.show}
      </span>
    ) : (
      run.text
    ),
  );
}
