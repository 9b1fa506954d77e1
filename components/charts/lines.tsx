"use client";
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatShort } from "@/lib/text/format";
import { ChartFrame } from "./frame";
import { isZeroToRounding } from "./rounding";

/** One line: its values stand in the rows under `key`; null draws a gap, unless most are null: then the value is taken now and then. */
export interface Series {
  key: string;
  label: string;
}

/** Lines that share an axis. */
export interface LinePanel {
  title: string;
  series: Series[];
  /** Values are counts: the axis has no fractions. */
  whole?: boolean;
  /** Values are shares: the axis is 0 to 1. */
  share?: boolean;
  /** Values below this in size are the noise of floating point: when all are, the axis is from 0 and says so. */
  zeroBelow?: number;
}

const HEIGHT = 220;
export const AXIS = { fill: "var(--muted)", fontSize: 11 };
/** Told apart by dashes as well as by colour. */
const LOOKS = [
  { stroke: "var(--accent)", dash: undefined, name: "solid" },
  { stroke: "var(--warn)", dash: "6 3", name: "dashed" },
  { stroke: "var(--good)", dash: "2 3", name: "dotted" },
  { stroke: "var(--bad)", dash: "8 3 2 3", name: "dash-dotted" },
] as const;
/** Numbers that rounding would make 0 keep their size. */
export const tick = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.001 ? Number(value.toPrecision(3)).toExponential() : formatShort(value);
/** All values of a panel have ticks like "1.6e-12", which take more room. */
const isTiny = (rows: Record<string, number | null>[], panel: LinePanel): boolean =>
  rows.every((row) => panel.series.every(({ key }) => Math.abs(row[key] ?? 0) < 0.001));
/** The axis of values that are zero to rounding: from 0, and their noise is not to be seen. */
export const zeroAxis = (below: number) => ({ domain: [0, below], ticks: [0], allowDataOverflow: true });
const isZero = (rows: Record<string, number | null>[], { series, zeroBelow }: LinePanel): boolean =>
  zeroBelow !== undefined &&
  isZeroToRounding(
    rows.flatMap((row) => series.map(({ key }) => row[key])),
    zeroBelow,
  );
const look = (i: number) => LOOKS[i % LOOKS.length] ?? LOOKS[0];

/** Values that are taken now and then are points with lines between them. */
const isSparse = (rows: Record<string, number | null>[], key: string): boolean =>
  rows.filter((row) => row[key] != null).length < rows.length / 2;

/** A value between gaps has no line to be seen by. */
const hasLone = (rows: Record<string, number | null>[], key: string): boolean =>
  rows.some((row, i) => row[key] != null && rows[i - 1]?.[key] == null && rows[i + 1]?.[key] == null);

/** Values over an axis of numbers, one panel a unit; readable as a table, downloadable as SVG, PNG and CSV. */
export function LinesChart({
  title,
  note,
  name,
  x,
  panels,
  rows,
  chosen,
  onChoose,
}: {
  title: string;
  note?: React.ReactNode;
  /** File name of downloads, without extension. */
  name: string;
  x: Series;
  panels: LinePanel[];
  rows: Record<string, number | null>[];
  /** Value of x that is marked. */
  chosen?: number | null;
  /** Told the x of a point that was clicked; a list elsewhere must offer the same to the keyboard. */
  onChoose?: (x: number) => void;
}) {
  const series = panels.flatMap((panel) => panel.series);
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{
        header: [x.label, ...series.map((s) => s.label)],
        rows: rows.map((row) => [row[x.key] ?? null, ...series.map((s) => row[s.key] ?? null)]),
      }}
    >
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-4">
        {panels.map((panel) => (
          <div key={panel.title} className="min-w-0" data-panel={panel.title} data-names={40}>
            <h3 className="mb-1 flex flex-wrap gap-x-3 text-sm text-muted">
              {panel.title}
              {panel.series.length > 1
                ? panel.series.map((s, i) => (
                    <span key={s.key} data-legend className="flex items-center gap-1 text-xs">
                      <svg aria-hidden width="22" height="6">
                        <line
                          x1="0"
                          y1="3"
                          x2="22"
                          y2="3"
                          stroke={look(i).stroke}
                          strokeWidth="2"
                          strokeDasharray={look(i).dash}
                        />
                      </svg>
                      {look(i).name}: {s.label}
                    </span>
                  ))
                : null}
              {isZero(rows, panel) ? (
                <span className="text-xs">zero to rounding (below {panel.zeroBelow?.toExponential()})</span>
              ) : null}
            </h3>
            <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 480, height: HEIGHT }}>
              <LineChart
                data={rows}
                margin={{ top: 4, right: 16, bottom: 16, left: 0 }}
                {...(onChoose
                  ? {
                      style: { cursor: "pointer" },
                      onClick: ({ activeLabel }: { activeLabel?: string | number }) => {
                        if (activeLabel !== undefined) onChoose(Number(activeLabel));
                      },
                    }
                  : {})}
              >
                <CartesianGrid stroke="var(--line)" vertical={false} />
                <XAxis
                  dataKey={x.key}
                  type="number"
                  allowDecimals={false}
                  domain={["dataMin", "dataMax"]}
                  tick={AXIS}
                  stroke="var(--line-strong)"
                  tickFormatter={formatShort}
                  label={{ value: x.label, position: "insideBottom", offset: -8, ...AXIS }}
                />
                <YAxis
                  tick={AXIS}
                  stroke="var(--line-strong)"
                  width={isTiny(rows, panel) && !isZero(rows, panel) ? 60 : 44}
                  allowDecimals={!panel.whole}
                  domain={panel.share ? [0, 1] : ["auto", "auto"]}
                  tickFormatter={tick}
                  {...(panel.zeroBelow !== undefined && isZero(rows, panel) ? zeroAxis(panel.zeroBelow) : {})}
                />
                <Tooltip
                  isAnimationActive={false}
                  contentStyle={{ background: "var(--surface)", border: "1px solid var(--line-strong)", fontSize: 12 }}
                  labelFormatter={(value) => `${x.label} ${value}`}
                />
                {chosen == null ? null : <ReferenceLine x={chosen} stroke="var(--line-strong)" strokeDasharray="3 3" />}
                {panel.series.map((s, i) => (
                  <Line
                    key={s.key}
                    dataKey={s.key}
                    name={s.label}
                    stroke={look(i).stroke}
                    strokeDasharray={look(i).dash}
                    strokeWidth={1.5}
                    dot={
                      rows.length < 3 || isSparse(rows, s.key) || hasLone(rows, s.key)
                        ? { strokeDasharray: "none" }
                        : false
                    }
                    connectNulls={isSparse(rows, s.key)}
                    isAnimationActive={false}
                  />
                ))}
              </LineChart>
            </ResponsiveContainer>
          </div>
        ))}
      </div>
    </ChartFrame>
  );
}
