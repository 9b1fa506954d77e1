"use client";
import { useId, useState } from "react";
import { LOOKS, Mark } from "@/components/charts/marks";
import { type FigureMark, percentText } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";

/** What of a mark is drawn. */
export type DrawnMark = Pick<
  FigureMark,
  "checkpointId" | "place" | "errorTypeId" | "misbehavior" | "value" | "why" | "interval" | "leaked" | "lines"
>;

interface Row {
  mark: DrawnMark;
  /** What is behind it. */
  href: string;
}

const LINE = 20;
const TITLE = 24;
const AXIS = 22;
/** Percent of the width: where the axis begins, and how long it is. The rest is for the numbers. */
const FROM = 2;
const LONG = 80;

/** Rows with their heights: a title before each misbehavior. */
function laidOut(rows: readonly Row[]) {
  let y = 0;
  let last: number | null = null;
  const titles: { y: number; text: string; key: number }[] = [];
  const lines = rows.map((row) => {
    if (row.mark.errorTypeId !== last) {
      last = row.mark.errorTypeId;
      titles.push({ y, text: row.mark.misbehavior, key: last });
      y += TITLE;
    }
    const at = y;
    y += LINE;
    return { ...row, y: at };
  });
  return { titles, lines, height: y };
}

/** Rates under one judge. A mark leads to its samples and says what it is of, under the pointer and on focus. */
export function RatePanel({
  judge,
  rows,
  end,
  leadsTo = "the samples",
}: {
  judge: string;
  rows: Row[];
  end: number;
  /** What a click opens. */
  leadsTo?: string;
}) {
  const id = useId();
  const [active, setActive] = useState<number | null>(null);
  const { titles, lines, height } = laidOut(rows);
  const x = (value: number): string => `${FROM + (LONG * Math.min(Math.max(value, 0), end)) / end}%`;
  const shown = active === null ? undefined : lines[active];
  return (
    <div className="relative min-w-0" data-panel={`judge ${judge}`}>
      <h3 id={id} className="mb-1 text-sm text-muted">
        judge <span className="foreign">{visible(judge)}</span>
      </h3>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: named by the heading above */}
      <svg data-chart width="100%" height={height + AXIS} aria-labelledby={id} className="block">
        {[0, end / 2, end].map((value) => (
          <g key={value}>
            <line x1={x(value)} x2={x(value)} y1={0} y2={height + 4} stroke="var(--line)" />
            <text
              x={x(value)}
              y={height + 17}
              fontSize={11}
              fill="var(--muted)"
              textAnchor={value === 0 ? "start" : "middle"}
            >
              {percentText(value)}
            </text>
          </g>
        ))}
        {titles.map((title) => (
          <text key={title.key} x={x(0)} y={title.y + 17} fontSize={12} fontWeight={600} fill="var(--text)">
            {visible(title.text)}
          </text>
        ))}
        {lines.map(({ mark, href, y }, i) => {
          const look = LOOKS[mark.place % LOOKS.length] as (typeof LOOKS)[number];
          const middle = y + LINE / 2;
          return (
            <a
              key={`${mark.errorTypeId} ${mark.checkpointId}`}
              href={href}
              aria-label={mark.lines.map(visible).join(" ")}
              data-mark
              onMouseEnter={() => setActive(i)}
              onMouseLeave={() => setActive(null)}
              onFocus={() => setActive(i)}
              onBlur={() => setActive(null)}
            >
              <rect
                x="0"
                y={y}
                width="100%"
                height={LINE}
                rx={3}
                fill={active === i ? "var(--raised)" : "transparent"}
              />
              {mark.interval ? (
                <line
                  x1={x(mark.interval.low)}
                  x2={x(mark.interval.high)}
                  y1={middle}
                  y2={middle}
                  stroke={look.stroke}
                  strokeWidth={2}
                />
              ) : null}
              {mark.value === null ? (
                <text x={x(0)} y={middle + 4} dx={4} fontSize={11} fontStyle="italic" fill="var(--muted)">
                  {mark.why?.startsWith("Refused") ? "refused" : "not known"}
                </text>
              ) : (
                <>
                  <svg x={x(mark.value)} y={middle} overflow="visible" aria-hidden="true">
                    <Mark shape={look.shape} cx={0} cy={0} size={4.5} fill={look.stroke} />
                  </svg>
                  <text x="99%" y={middle + 4} fontSize={11} textAnchor="end" fill="var(--text)">
                    {percentText(mark.value)}
                    {mark.leaked ? " †" : ""}
                  </text>
                </>
              )}
            </a>
          );
        })}
      </svg>
      {shown ? (
        <div
          role="tooltip"
          className="pointer-events-none absolute right-0 left-0 z-30 mx-auto w-fit max-w-full rounded-md border border-line-strong bg-surface px-2 py-1.5 text-xs shadow-lg"
          style={{ top: shown.y + LINE + 28 }}
        >
          {shown.mark.lines.map((line, i) => (
            <p key={line} className={i === 0 ? "foreign font-medium" : "foreign text-muted"}>
              {visible(line)}
            </p>
          ))}
          <p className="text-muted">Enter or click: {leadsTo}.</p>
        </div>
      ) : null}
    </div>
  );
}
