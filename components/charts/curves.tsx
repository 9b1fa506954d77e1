"use client";
import { spacedTicks } from "@/lib/text/ticks";
import { ticksOf, useWidth } from "./estimated";
import { ChartFrame } from "./frame";
import { LOOKS, Mark } from "./marks";

/** One curve: points in the order of x. */
export interface Curve {
  name: string;
  points: { x: number; y: number; low?: number | null; high?: number | null; says: string; href: string | null }[];
  /** Printed in a paper, not measured here: hollow marks. */
  published?: boolean;
  /** Shows where points would lie by a rule; no marks. */
  guide?: boolean;
  /** Marks alone: the points are no course of anything. */
  apart?: boolean;
}

const HEIGHT = 280;
const [LEFT, BOTTOM, TOP] = [46, 40, 8];

/** Curves of marks over a common axis, each mark leading to its rows; table, SVG, PNG, CSV as any chart. */
export function CurvesChart({
  title,
  note,
  name,
  xLabel,
  yLabel,
  curves,
  log = false,
}: {
  title: string;
  note?: React.ReactNode;
  name: string;
  xLabel: string;
  yLabel: string;
  curves: readonly Curve[];
  /** The axis below doubles from place to place. */
  log?: boolean;
}) {
  const [box, width] = useWidth();
  const all = curves.flatMap((c) => c.points);
  const xs = [...new Set(all.map((p) => p.x))].sort((a, b) => a - b);
  const ys = all.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]);
  const [x0, x1] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const span = Math.max(1e-9, Math.max(...ys) - Math.min(...ys));
  const [y0, y1] = [Math.max(0, Math.min(...ys) - span * 0.1), Math.max(...ys) + span * 0.1 + 1e-6];
  const place = (v: number) => (log ? Math.log2(v) : v);
  const x = (v: number) =>
    LEFT + (place(x1) === place(x0) ? 0.5 : (place(v) - place(x0)) / (place(x1) - place(x0))) * (width - LEFT - 20);
  const y = (v: number) => TOP + (1 - (v - y0) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
  const shown = spacedTicks(xs, x, String);
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{
        header: ["Curve", xLabel, yLabel, "Source", "Details"],
        rows: curves.flatMap((c) =>
          c.points.map((p) => [
            c.name,
            p.x,
            Math.round(p.y * 1e4) / 1e4,
            c.guide ? "guide" : c.published ? "published" : "this index",
            p.says,
          ]),
        ),
        links: curves.flatMap((c) => c.points.map((p) => p.href ?? "")),
      }}
    >
      <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
        {curves.map((c, i) => (
          <li key={c.name} data-legend className="flex items-center gap-1.5">
            <svg aria-hidden width="26" height="10">
              {c.apart ? null : <line x1="0" x2="26" y1="5" y2="5" {...stroke(c, i)} strokeWidth={1.5} />}
              {c.guide ? null : (
                <>
                  <Mark shape={look(i).shape} cx={13} cy={5} fill={look(i).stroke} />
                  {c.published ? <Mark shape={look(i).shape} cx={13} cy={5} size={2.2} fill="var(--surface)" /> : null}
                </>
              )}
            </svg>
            {c.name}
          </li>
        ))}
      </ul>
      <div ref={box} className="min-w-0">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing with links in it is no form field. */}
        <svg className="recharts-surface" width={width} height={HEIGHT} role="group">
          {ticksOf(y0, y1).map((at) => (
            <g key={at}>
              <line x1={LEFT} x2={width - 12} y1={y(at)} y2={y(at)} stroke="var(--line)" />
              <text x={LEFT - 6} y={y(at)} dy="0.35em" textAnchor="end" fontSize={11} fill="var(--muted)">
                {at}
              </text>
            </g>
          ))}
          {shown.map((at) => (
            <text key={at} x={x(at)} y={HEIGHT - BOTTOM + 16} textAnchor="middle" fontSize={11} fill="var(--muted)">
              {at}
            </text>
          ))}
          <text x={(LEFT + width) / 2} y={HEIGHT - 6} textAnchor="middle" fontSize={11} fill="var(--muted)">
            {xLabel}
          </text>
          {curves.map((c, i) => (
            <g key={c.name}>
              {c.apart ? null : (
                <polyline
                  points={c.points.map((p) => `${x(p.x)},${y(p.y)}`).join(" ")}
                  fill="none"
                  {...stroke(c, i)}
                  strokeWidth={1.5}
                />
              )}
              {c.guide
                ? null
                : c.points.map((p) => {
                    const mark = (
                      <>
                        <title>{`${c.name}: ${p.says}`}</title>
                        {p.low == null || p.high == null ? null : (
                          <line x1={x(p.x)} x2={x(p.x)} y1={y(p.low)} y2={y(p.high)} stroke={look(i).stroke} />
                        )}
                        <Mark shape={look(i).shape} cx={x(p.x)} cy={y(p.y)} fill={look(i).stroke} />
                        {c.published ? (
                          <Mark shape={look(i).shape} cx={x(p.x)} cy={y(p.y)} size={2.4} fill="var(--surface)" />
                        ) : null}
                      </>
                    );
                    return p.href === null ? (
                      <g key={`${p.x} ${p.says}`}>{mark}</g>
                    ) : (
                      <a key={`${p.x} ${p.says}`} href={p.href} aria-label={`${c.name}: ${p.says}`}>
                        {mark}
                      </a>
                    );
                  })}
            </g>
          ))}
        </svg>
      </div>
    </ChartFrame>
  );
}

const look = (i: number) => LOOKS[i % LOOKS.length] ?? LOOKS[0];
const stroke = (curve: Curve, i: number) =>
  curve.guide
    ? { stroke: "var(--muted)", strokeDasharray: "4 4" }
    : { stroke: look(i).stroke, strokeDasharray: look(i).dash };
