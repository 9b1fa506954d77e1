"use client";
import { BarName } from "./bar-name";
import { Estimated } from "./estimated";
import { ChartFrame } from "./frame";

/** Part of a bar. null: not known; nothing is drawn and the bar says so. */
export interface BarPart {
  label: string;
  value: number | null;
}

export interface StackedBar {
  name: string;
  parts: BarPart[];
  /** What it is made of, in words. */
  says: string;
  href: string | null;
  /** Printed in a paper, not measured here: drawn dashed. */
  published?: boolean;
}

const ROW = 30;
/** Parts differ in shade and in pattern: colour is not the only sign. */
const FILLS = ["var(--accent)", "url(#part-lines)", "url(#part-dots)", "var(--line-strong)"];

/** Amounts as bars of parts on one axis, each leading to its rows; readable as a table, downloadable as SVG, PNG and CSV. */
export function StackedBars({
  title,
  note,
  name,
  of,
  unit,
  bars,
  say,
}: {
  title: string;
  note?: React.ReactNode;
  name: string;
  /** What a bar is of, in singular: head of the table's names. */
  of: string;
  /** What the numbers count, with its unit. */
  unit: string;
  bars: readonly StackedBar[];
  /** A number as it stands beside its bar. */
  say: "count" | "percent" | "money";
}) {
  const labels = [...new Set(bars.flatMap((b) => b.parts.map((p) => p.label)))];
  const measured = (label: string) => bars.some((b) => !b.published && b.parts.some((p) => p.label === label));
  const sums = bars.map((b) => b.parts.reduce((sum, p) => sum + Math.max(0, p.value ?? 0), 0));
  const lows = bars.flatMap((b) => b.parts.map((p) => p.value ?? 0));
  const least = Math.min(0, ...lows);
  const most = Math.max(least === 0 ? 1e-9 : 0, ...sums);
  const text = (value: number) =>
    say === "percent"
      ? `${value.toFixed(1)}%`
      : say === "money"
        ? value.toFixed(2)
        : value.toLocaleString("en", { maximumFractionDigits: 1 });
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{
        header: [of, ...labels.map((l) => `${l} (${unit})`), "Source", "Details"],
        links: bars.map((b) => b.href ?? ""),
        rows: bars.map((b) => [
          b.name,
          ...labels.map((label) => b.parts.find((p) => p.label === label)?.value ?? null),
          b.published ? "published" : "this index",
          b.says,
        ]),
      }}
    >
      <p className="mb-1 flex flex-wrap gap-x-4 text-xs text-muted">
        <span data-legend>{unit}</span>
        {labels.length > 1
          ? labels.filter(measured).map((label) => (
              <span key={label} data-legend className="flex items-center gap-1">
                <svg width={14} height={10} aria-hidden>
                  <Patterns />
                  <rect width={14} height={10} fill={FILLS[labels.indexOf(label) % FILLS.length]} />
                </svg>
                {label}
              </span>
            ))
          : null}
        {bars.some((b) => b.published) ? <span data-legend>dashed: published</span> : null}
      </p>
      <Estimated
        height={bars.length * ROW + 28}
        least={least * 1.08}
        most={most * 1.12}
        unit={say === "percent" ? "%" : ""}
      >
        {({ x, left, width }) => (
          <>
            <Patterns />
            {bars.map((bar, i) => {
              const middle = i * ROW + ROW / 2;
              const known = bar.parts.filter((p): p is BarPart & { value: number } => p.value !== null);
              let from = 0;
              const drawn = known.map((part) => {
                const begin = from;
                from += part.value;
                return { part, begin: Math.min(begin, from), end: Math.max(begin, from) };
              });
              const total =
                known.length === 0
                  ? "not known"
                  : `${text(from)}${known.length < bar.parts.length ? " + not known" : ""}`;
              const label = `${bar.name}: ${known.map((p) => `${p.label} ${text(p.value)}`).join(", ") || "not known"} (${unit}). ${bar.says}`;
              const mark = (
                <>
                  <title>{label}</title>
                  <rect x={0} y={i * ROW} width={width} height={ROW} fill="transparent" />
                  <BarName x={left - 8} y={middle} name={bar.name} />
                  {drawn.map(({ part, begin, end }) => (
                    <rect
                      key={part.label}
                      x={x(begin)}
                      y={middle - 8}
                      width={Math.max(1, x(end) - x(begin))}
                      height={16}
                      fill={bar.published ? "transparent" : FILLS[labels.indexOf(part.label) % FILLS.length]}
                      fillOpacity={bar.published ? 1 : 0.8}
                      stroke={bar.published ? "var(--muted)" : "none"}
                      strokeDasharray={bar.published ? "3 2" : undefined}
                    />
                  ))}
                  <text x={x(Math.max(0, from)) + 5} y={middle} dy="0.35em" fontSize={11} fill="var(--text)">
                    {total}
                  </text>
                </>
              );
              return bar.href === null ? (
                <g key={`${bar.name} ${bar.published ?? false}`}>{mark}</g>
              ) : (
                <a key={`${bar.name} ${bar.published ?? false}`} href={bar.href} className="[&:hover_text]:underline">
                  {mark}
                </a>
              );
            })}
          </>
        )}
      </Estimated>
    </ChartFrame>
  );
}

/** Hatches for parts of bars. */
function Patterns() {
  return (
    <defs>
      <pattern id="part-lines" width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={5} height={5} fill="var(--accent-soft)" />
        <rect width={2} height={5} fill="var(--accent)" />
      </pattern>
      <pattern id="part-dots" width={5} height={5} patternUnits="userSpaceOnUse">
        <rect width={5} height={5} fill="var(--surface-2, var(--line))" />
        <circle cx={2} cy={2} r={1.2} fill="var(--text)" />
      </pattern>
    </defs>
  );
}
