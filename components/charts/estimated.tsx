"use client";
import { useEffect, useRef, useState } from "react";

/** Width of the box a drawing is in; what fits a desk before it is known. */
export function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(220, Math.floor(entry.contentRect.width)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

/** About five round numbers from `least` to `most`. */
export function ticksOf(least: number, most: number): number[] {
  const rough = (most - least) / 5;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= rough) ?? size * 10;
  const ticks: number[] = [];
  for (let at = Math.ceil(least / step) * step; at <= most + 1e-9; at += step) ticks.push(Number(at.toPrecision(10)));
  return ticks;
}

/** Frame of horizontal bars: names on the left, an axis of values below. */
export function Estimated({
  height,
  least,
  most,
  unit,
  children,
}: {
  height: number;
  least: number;
  most: number;
  unit: string;
  children: (place: { x: (value: number) => number; left: number; width: number }) => React.ReactNode;
}) {
  const [box, width] = useWidth();
  const left = width < 480 ? 110 : 230;
  const x = (value: number) => left + ((value - least) / (most - least)) * (width - left - 44);
  return (
    <div ref={box} className="min-w-0">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing with links in it is no form field. */}
      <svg className="recharts-surface" width={width} height={height} role="group">
        {ticksOf(least, most).map((at) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1={0} y2={height - 24} stroke="var(--line)" />
            <text x={x(at)} y={height - 8} textAnchor="middle" fontSize={11} fill="var(--muted)">
              {at}
              {unit === "%" ? "%" : ""}
            </text>
          </g>
        ))}
        {least < 0 ? <line x1={x(0)} x2={x(0)} y1={0} y2={height - 24} stroke="var(--line-strong)" /> : null}
        {children({ x, left, width })}
      </svg>
    </div>
  );
}
