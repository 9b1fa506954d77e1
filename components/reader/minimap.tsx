"use client";
import { useTheme } from "next-themes";
import { useEffect, useRef, useState } from "react";
import { MARK_BITS } from "./marks";

interface Props {
  marks: number[];
  flagged: Set<number>;
  /** Visible entries. */
  from: number;
  to: number;
  onGo: (entry: number) => void;
}

const WIDTH = 44;
/** Left edge and width of the lanes: who acted, what failed, what is flagged. */
const LANES = { kind: [3, 14], failed: [20, 8], flagged: [31, 10] } as const;

function draw(canvas: HTMLCanvasElement, height: number, marks: number[], flagged: Set<number>): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = WIDTH * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  context.clearRect(0, 0, WIDTH, height);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(`--${name}`);
  const row = height / marks.length;
  const bar = (lane: readonly [number, number], i: number, fill: string, least: number) => {
    context.fillStyle = fill;
    const gap = row > 4 ? 1 : 0;
    context.fillRect(lane[0], i * row, lane[1], Math.max(least, row - gap));
  };
  const colours = {
    agent: colour("line-strong"),
    message: colour("accent"),
    failed: colour("bad"),
    flag: colour("warn"),
    correction: colour("good"),
  };
  context.globalAlpha = 0.45;
  marks.forEach((mark, i) => {
    const agent = (mark & 3) === 2;
    // A step that did not run is half as wide, at the right of its lane; a correction has the whole lane and its colour.
    if (mark & MARK_BITS.rejected) {
      bar([LANES.kind[0] + LANES.kind[1] / 2, LANES.kind[1] / 2], i, colours.failed, 0.6);
      return;
    }
    if (mark & MARK_BITS.correction) {
      bar(LANES.kind, i, colours.correction, 0.6);
      return;
    }
    bar(agent ? LANES.kind : [LANES.kind[0], LANES.kind[1] / 2], i, agent ? colours.agent : colours.message, 0.6);
  });
  context.globalAlpha = 1;
  marks.forEach((mark, i) => {
    if (mark & (MARK_BITS.failed | MARK_BITS.timedOut | MARK_BITS.toolError)) bar(LANES.failed, i, colours.failed, 1);
  });
  for (const i of flagged) bar(LANES.flagged, i, colours.flag, 3);
}

/** The whole trajectory at a glance. For pointers; keys and the list of flagged steps do the same without it. */
export function Minimap({ marks, flagged, from, to, onGo }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [height, setHeight] = useState(0);
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // A short trajectory does not fill the map: rows stay readable.
  const used = Math.min(height, marks.length * 16);
  useEffect(() => {
    // The theme's class is set on the page in the same turn; its colours are read from there.
    void resolvedTheme;
    if (canvas.current && used > 0) draw(canvas.current, used, marks, flagged);
  }, [used, marks, flagged, resolvedTheme]);
  const go = (event: React.PointerEvent) => {
    const top = box.current?.getBoundingClientRect().top ?? 0;
    const entry = Math.floor(((event.clientY - top) / Math.max(1, used)) * marks.length);
    onGo(Math.max(0, Math.min(marks.length - 1, entry)));
  };
  const at = (entry: number) => (entry / Math.max(1, marks.length)) * used;
  return (
    <div
      ref={box}
      aria-hidden
      title="Map of all entries: left who acted (half: rejected, green: the correction), middle what failed, right what is flagged. Click to go there."
      className="relative w-[44px] shrink-0 cursor-pointer touch-none border-l bg-surface select-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) go(event);
      }}
    >
      <canvas ref={canvas} style={{ width: WIDTH, height: used }} />
      <div
        className="pointer-events-none absolute inset-x-0 border-y-2 border-accent bg-accent/12"
        style={{ top: at(from), height: Math.max(4, at(to + 1) - at(from)) }}
      />
    </div>
  );
}
