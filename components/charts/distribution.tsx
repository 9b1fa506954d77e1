"use client";
import { useSyncExternalStore } from "react";
import { Bar, BarChart, LabelList, ResponsiveContainer, Text, XAxis, YAxis } from "recharts";
import { cn } from "@/components/cn";
import { formatPercent } from "@/lib/text/format";
import { ChartFrame } from "./frame";

/** One row of the distribution: percent of error steps and of environments, own and published; null = not known. */
export interface DistributionRow {
  name: string;
  /** Address of the rows behind it. */
  href: string;
  steps: number | null;
  environments: number | null;
  publishedSteps: number | null;
  publishedEnvironments: number | null;
}

/** Room for the longest name in three lines where the chart is narrow. */
const ROW = 46;
const AXIS = { fill: "var(--muted)", fontSize: 11 };

const subscribe = (notify: () => void) => {
  window.addEventListener("resize", notify);
  return () => window.removeEventListener("resize", notify);
};
const useNarrow = () =>
  useSyncExternalStore(
    subscribe,
    () => window.innerWidth < 640,
    () => false,
  );

/** Zero is a mark of one pixel with its label; an unknown value draws nothing. */
const zeroMark = (value: unknown) => (typeof value === "number" ? 1 : 0);

const label = (value: unknown) => (typeof value === "number" ? formatPercent(value) : "");

function Panel({
  rows,
  title,
  own,
  published,
  names,
  className,
}: {
  rows: DistributionRow[];
  title: string;
  own: "steps" | "environments";
  published: "publishedSteps" | "publishedEnvironments";
  names: number;
  className: string;
}) {
  return (
    <div className={cn("min-w-0", className)} data-panel={title} data-names={names}>
      <h3 className="mb-1 pl-[var(--names)] text-sm text-muted">{title}</h3>
      <ResponsiveContainer
        width="100%"
        height={rows.length * ROW + 24}
        initialDimension={{ width: 480, height: rows.length * ROW + 24 }}
      >
        <BarChart
          data={rows}
          layout="vertical"
          margin={{ top: 0, right: 48, bottom: 0, left: 0 }}
          barGap={1}
          barCategoryGap={8}
        >
          <XAxis type="number" domain={[0, "auto"]} tick={AXIS} stroke="var(--line-strong)" unit="%" />
          <YAxis
            type="category"
            dataKey="name"
            width={names || 1}
            tick={names ? (tick) => <RowName {...tick} row={rows[tick.index]} width={names - 8} /> : false}
            axisLine={false}
            tickLine={false}
            interval={0}
          />
          <Bar dataKey={own} fill="var(--accent)" isAnimationActive={false} name="This index" minPointSize={zeroMark}>
            <LabelList dataKey={own} position="right" formatter={label} fill="var(--text)" fontSize={11} />
          </Bar>
          <Bar
            minPointSize={zeroMark}
            dataKey={published}
            fill="transparent"
            stroke="var(--muted)"
            strokeDasharray="3 2"
            isAnimationActive={false}
            name="Published"
          >
            <LabelList dataKey={published} position="right" formatter={label} fill="var(--muted)" fontSize={11} />
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

/** Name of a row, leading to what it counts. */
function RowName({
  x,
  y,
  width,
  row,
}: {
  x: number | string;
  y: number | string;
  width: number;
  row?: DistributionRow;
}) {
  if (!row) return null;
  return (
    <a href={row.href} className="[&:hover_text]:underline">
      <Text x={x} y={y} width={width} textAnchor="end" verticalAnchor="middle" fill="var(--text)" fontSize={12}>
        {row.name}
      </Text>
    </a>
  );
}

/** The two panels of the paper's Figure 4 over the user's data, the published values beside them. */
export function DistributionChart({
  rows,
  note,
  published,
  own = "this index",
}: {
  rows: DistributionRow[];
  note: string;
  published: string;
  /** What the filled bars count. */
  own?: string;
}) {
  const narrow = useNarrow();
  return (
    <ChartFrame
      title="Distribution of error steps"
      note={note}
      name="misbehaviors"
      data={{
        header: [
          "Misbehavior",
          "Share of error steps (%)",
          "Share of environments (%)",
          "Published share of error steps (%)",
          "Published share of environments (%)",
        ],
        links: rows.map((r) => r.href),
        rows: rows.map((r) => [
          r.name,
          round(r.steps),
          round(r.environments),
          r.publishedSteps,
          r.publishedEnvironments,
        ]),
      }}
    >
      <ul className="mb-2 flex flex-wrap gap-4 text-xs text-muted">
        <li data-legend className="flex items-center gap-1.5">
          <span aria-hidden className="size-3 bg-accent" /> filled: {own}
        </li>
        <li data-legend className="flex items-center gap-1.5">
          <span aria-hidden className="size-3 shrink-0 border border-dashed border-muted" /> dashed: published,{" "}
          {published}
        </li>
      </ul>
      {/* By the style sheet, not by what the browser measures: the first drawing has its place already. */}
      <div className="flex flex-col gap-4 sm:flex-row sm:gap-2">
        <Panel
          rows={rows}
          title="Share of error steps"
          own="steps"
          published="publishedSteps"
          names={narrow ? 120 : 190}
          className="[--names:120px] sm:flex-[1_1_190px] sm:[--names:190px]"
        />
        <Panel
          rows={rows}
          title="Share of environments it occurs in"
          own="environments"
          published="publishedEnvironments"
          names={narrow ? 120 : 0}
          className="[--names:120px] sm:flex-[1_1_0px] sm:[--names:0px]"
        />
      </div>
    </ChartFrame>
  );
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);
