"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Mark, markLine, matchesIn, sourceMarks } from "@/lib/text/find";
import type { Line } from "@/lib/text/glyphs";

type MarkedLine = ReturnType<typeof markLine>;

interface Block {
  /** Its place among the blocks of one text. */
  at: number;
  lines: MarkedLine[];
  /** Holds the active match or the evidence: shown at once, so that it can be scrolled to. */
  wanted: boolean;
}

const BLOCK_LINES = 120;
const BLOCK_CHARS = 12_000;
/** A longer line is shown in pieces: browsers lay out one endless line slowly. */
const PIECE = 8_000;

interface Props {
  lines: Line[];
  find: RegExp | null;
  /** Number of the first match in these lines. */
  matchesBefore?: number;
  /** Number of the active match, or null. */
  active: number | null;
  /** Source range to mark as evidence. */
  evidence: [start: number, end: number] | null;
}

function pieces(line: MarkedLine): MarkedLine[] {
  if (line.reduce((sum, run) => sum + run.text.length, 0) <= PIECE) return [line];
  const out: MarkedLine[] = [[]];
  let size = 0;
  for (const run of line) {
    for (let from = 0; from < run.text.length; ) {
      if (size >= PIECE) {
        out.push([]);
        size = 0;
      }
      let to = Math.min(run.text.length, from + PIECE - size);
      if (to < run.text.length && /[\ud800-\udbff]/.test(run.text[to - 1] ?? "")) to++;
      out.at(-1)?.push({ ...run, text: run.text.slice(from, to) });
      size += to - from;
      from = to;
    }
  }
  return out;
}

function blocksOf({ lines, find, matchesBefore = 0, active, evidence }: Props): Block[] {
  const blocks: Block[] = [];
  let block: Block = { at: blocks.length, lines: [], wanted: false };
  let chars = 0;
  let n = matchesBefore;
  // The line feed that ends a text starts no line of its own.
  const shown = lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
  for (const line of shown) {
    const marks: Mark[] = find
      ? matchesIn(line, find).map(([start, end]) => ({ start, end, look: "hit", n: n++ }))
      : [];
    const visibleMarks = marks.length === 0 && evidence ? sourceMarks(line, ...evidence, "evidence") : marks;
    const wanted = visibleMarks.some((m) => m.look === "evidence" || (m.n !== undefined && m.n === active));
    for (const piece of pieces(markLine(line, visibleMarks))) {
      const size = piece.reduce((sum, run) => sum + run.text.length, 1);
      if (block.lines.length >= BLOCK_LINES || (block.lines.length > 0 && chars + size > BLOCK_CHARS)) {
        blocks.push(block);
        block = { at: blocks.length, lines: [], wanted: false };
        chars = 0;
      }
      block.lines.push(piece);
      block.wanted ||= wanted;
      chars += size;
    }
  }
  if (block.lines.length > 0) blocks.push(block);
  return blocks;
}

/** Lines of text with matches and evidence marked. Long texts are put into the page block by block, near the window. */
export function Lines(props: Props) {
  const { lines, find, matchesBefore, active, evidence } = props;
  const blocks = useMemo(
    () => blocksOf({ lines, find, matchesBefore, active, evidence }),
    [lines, find, matchesBefore, active, evidence],
  );
  if (blocks.length === 1 && blocks[0]) return <BlockText block={blocks[0]} active={active} />;
  return blocks.map((block) => <LazyBlock key={block.at} block={block} active={active} eager={block.at === 0} />);
}

function LazyBlock({ block, active, eager }: { block: Block; active: number | null; eager: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(eager);
  useEffect(() => {
    const element = ref.current;
    if (!element || near) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((s) => s.isIntersecting)) setNear(true);
      },
      { rootMargin: "1200px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  const chars = block.lines.reduce(
    (sum, line) => sum + Math.ceil(line.reduce((s, r) => s + r.text.length, 1) / 110),
    0,
  );
  return (
    <div ref={ref} style={near || block.wanted ? undefined : { height: `${chars * 1.45}em` }}>
      {near || block.wanted ? <BlockText block={block} active={active} /> : null}
    </div>
  );
}

function BlockText({ block, active }: { block: Block; active: number | null }) {
  const nodes: React.ReactNode[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") nodes.push(text);
    text = "";
  };
  block.lines.forEach((line, i) => {
    if (i > 0) text += "\n";
    for (const run of line) {
      if (!run.glyph && !run.mark && run.look === "") {
        text += run.text;
        continue;
      }
      flush();
      nodes.push(<RunText key={nodes.length} run={run} active={active} />);
    }
  });
  text += "\n";
  flush();
  return <>{nodes}</>;
}

function RunText({ run, active }: { run: MarkedLine[number]; active: number | null }) {
  const { glyph, mark, look } = run;
  const shown = glyph ? (
    <span className="glyph" title={glyph.name} role="img" aria-label={glyph.name}>
      {glyph.show}
    </span>
  ) : null;
  const content = look.includes("diff-out") ? (
    <del className={look}>{shown ?? run.text}</del>
  ) : look.includes("diff-in") ? (
    <ins className={look}>{shown ?? run.text}</ins>
  ) : shown ? (
    shown
  ) : look === "" ? (
    run.text
  ) : (
    <span className={look}>{run.text}</span>
  );
  if (!mark) return content;
  if (mark.look === "evidence")
    return (
      <mark data-evidence className="rounded-xs bg-warn-soft text-inherit outline-1 outline-warn/60">
        {content}
      </mark>
    );
  const here = active !== null && mark.n === active;
  return <mark data-hit={here ? "active" : ""}>{content}</mark>;
}
