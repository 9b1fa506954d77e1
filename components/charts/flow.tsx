"use client";
import { useSyncExternalStore } from "react";
import { Layer, Rectangle, ResponsiveContainer, Sankey } from "recharts";
import { formatCount } from "@/lib/text/format";
import { ChartFrame } from "./frame";

/** An amount that goes from one named end to another. */
export interface Flow {
  from: string;
  to: string;
  amount: number;
}

const ROW = 40;
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

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

interface NodeProps {
  x: number;
  y: number;
  width: number;
  height: number;
  payload: { name?: string; value: number; depth: number };
}

/** An end with its name inside of the drawing: left ends to the right of their bar, right ends to the left. */
function End({ x, y, width, height, payload, most }: NodeProps & { most: number }) {
  const left = payload.depth === 0;
  return (
    <Layer>
      <Rectangle x={x} y={y} width={width} height={Math.max(1, height)} fill="var(--accent)" />
      <text
        x={left ? x + width + 6 : x - 6}
        y={y + height / 2}
        dy="0.35em"
        textAnchor={left ? "start" : "end"}
        fontSize={12}
        fill="var(--text)"
        stroke="var(--surface)"
        strokeWidth={4}
        strokeLinejoin="round"
        paintOrder="stroke"
      >
        <title>{payload.name}</title>
        {cut(payload.name ?? "", most)} · {formatCount(payload.value)}
      </text>
    </Layer>
  );
}

/** Where amounts go from one list of ends to another; readable as a table, downloadable as SVG, PNG and CSV. */
export function FlowChart({
  title,
  note,
  name,
  from,
  to,
  unit,
  flows,
}: {
  title: string;
  note?: React.ReactNode;
  /** File name of downloads, without extension. */
  name: string;
  /** Headings of the two sides. */
  from: string;
  to: string;
  unit: string;
  flows: Flow[];
}) {
  const narrow = useNarrow();
  const left = [...new Set(flows.map((f) => f.from))];
  const right = [...new Set(flows.map((f) => f.to))];
  const height = Math.max(left.length, right.length) * ROW + 24;
  const data = {
    nodes: [...left.map((end) => ({ name: end })), ...right.map((end) => ({ name: end }))],
    links: flows.map((f) => ({
      source: left.indexOf(f.from),
      target: left.length + right.indexOf(f.to),
      value: f.amount,
    })),
  };
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{ header: [from, to, unit], rows: flows.map((f) => [f.from, f.to, f.amount]) }}
    >
      <div className="flex justify-between text-sm text-muted" data-legend>
        <span>{from}</span>
        <span>{to}</span>
      </div>
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 640, height }}>
        <Sankey
          data={data}
          nodeWidth={8}
          nodePadding={14}
          margin={{ top: 8, right: 4, bottom: 8, left: 4 }}
          sort={false}
          link={{ stroke: "var(--muted)", strokeOpacity: 0.35 }}
          node={(props: NodeProps) => <End {...props} most={narrow ? 18 : 48} />}
        />
      </ResponsiveContainer>
    </ChartFrame>
  );
}
