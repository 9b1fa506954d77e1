"use client";
import { BarName } from "./bar-name";
import { Estimated } from "./estimated";
import { ChartFrame } from "./frame";

/** A value with its error, as a bar. Values are percent, or points where the chart says so. */
export interface EstimateBar {
  name: string;
  /** null: not known, nothing is drawn. */
  value: number | null;
  /** Ends of the whisker; null: none is known. */
  low: number | null;
  high: number | null;
  /** Everything the bar is made of: counts, runs, tasks, method. */
  says: string;
  /** Where its rows are; null: nowhere. */
  href: string | null;
  /** Printed in a paper, not measured here: drawn dashed. */
  published?: boolean;
}

const ROW = 34;

/** Bars with whiskers on one axis, each leading to its rows; readable as a table, downloadable as SVG, PNG and CSV. */
export function EstimateBars({
  title,
  note,
  name,
  of,
  unit = "%",
  head = unit === "%" ? "Percent" : "Points",
  decimals = 1,
  whisker,
  bars,
  from = 0,
}: {
  title: string;
  note?: React.ReactNode;
  name: string;
  /** What a bar is of, in singular: head of the table's names. */
  of: string;
  unit?: string;
  /** Head of the column of values. */
  head?: string;
  /** Of a value beside its bar. */
  decimals?: number;
  /** What the whiskers are; without: there are none. */
  whisker?: string;
  bars: readonly EstimateBar[];
  /** Lower end of the axis; differences go below 0 by themselves. */
  from?: number;
}) {
  const ends = bars.flatMap((b) => [b.value, b.low, b.high]).filter((x) => x !== null);
  const least = Math.min(from, ...ends);
  const most = Math.max(from + 1, ...ends);
  const pad = (most - least) * 0.04;
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{
        header: [of, head, ...(whisker === undefined ? [] : ["Low", "High"]), "Source", "Details"],
        links: bars.map((b) => b.href ?? ""),
        rows: bars.map((b) => [
          b.name,
          round(b.value),
          ...(whisker === undefined ? [] : [round(b.low), round(b.high)]),
          b.published ? "published" : "this index",
          b.says,
        ]),
      }}
    >
      <p className="mb-1 flex flex-wrap gap-x-4 text-xs text-muted" data-legend>
        {whisker === undefined ? null : <span>whisker: {whisker}</span>}
        {bars.some((b) => b.published) ? <span>dashed: published</span> : null}
      </p>
      <Estimated height={bars.length * ROW + 28} least={least < 0 ? least - pad : least} most={most + pad} unit={unit}>
        {({ x, left, width }) =>
          bars.map((bar, i) => {
            const middle = i * ROW + ROW / 2;
            const zero = x(Math.max(0, from));
            return (
              <Lead key={`${bar.name} ${bar.published ?? false}`} href={bar.href}>
                <title>{`${bar.name}: ${bar.says}`}</title>
                <rect x={0} y={i * ROW} width={width} height={ROW} fill="transparent" />
                <BarName x={left - 8} y={middle} name={bar.name} />
                {bar.value === null ? (
                  <text x={left + 6} y={middle} dy="0.35em" fontSize={11} fill="var(--muted)">
                    not known
                  </text>
                ) : (
                  <>
                    <rect
                      x={Math.min(zero, x(bar.value))}
                      y={middle - 8}
                      width={Math.max(1, Math.abs(x(bar.value) - zero))}
                      height={16}
                      fill={bar.published ? "transparent" : "var(--accent)"}
                      fillOpacity={bar.published ? 1 : 0.75}
                      stroke={bar.published ? "var(--muted)" : "none"}
                      strokeDasharray={bar.published ? "3 2" : undefined}
                    />
                    {bar.low !== null && bar.high !== null ? (
                      <path
                        d={`M${x(bar.low)},${middle - 4}v8 M${x(bar.low)},${middle}H${x(bar.high)} M${x(bar.high)},${middle - 4}v8`}
                        stroke="var(--text)"
                        strokeWidth={1.5}
                        fill="none"
                      />
                    ) : null}
                    <text
                      x={Math.max(x(bar.value), bar.high === null ? 0 : x(bar.high), zero) + 5}
                      y={middle}
                      dy="0.35em"
                      fontSize={11}
                      fill="var(--text)"
                    >
                      {textOf(bar.value, decimals, bar.published)}
                    </text>
                  </>
                )}
              </Lead>
            );
          })
        }
      </Estimated>
    </ChartFrame>
  );
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e4) / 1e4);
/** What was printed elsewhere keeps the decimals it was printed with. */
const textOf = (value: number, decimals: number, printed = false): string =>
  value.toFixed(printed ? Math.max(1, String(value).split(".")[1]?.length ?? 0) : decimals);
/** A mark that leads somewhere, or only says what it is. Its title is its name. */
function Lead({ href, children }: { href: string | null; children: React.ReactNode }) {
  return href === null ? (
    <g>{children}</g>
  ) : (
    <a href={href} className="[&:hover_text]:underline">
      {children}
    </a>
  );
}
