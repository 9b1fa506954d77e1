"use client";
import { useRouter } from "next/navigation";
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { trainHref } from "@/app/train/search-params";
import { ChartFrame } from "@/components/charts/frame";
import { AXIS, tick, zeroAxis } from "@/components/charts/lines";
import { LOOKS, Mark } from "@/components/charts/marks";
import { formatShort } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { OverlayRow } from "./overlay-rows";

interface Drawn {
  id: number;
  name: string;
}

const HEIGHT = 360;
/** Marks on a line, about. */
const MARKS = 12;

interface Dot {
  cx?: number;
  cy?: number;
  index?: number;
  value?: unknown;
  key?: React.Key | null;
  payload?: OverlayRow;
}

const digits = (value: number | null): string => (value === null ? "none" : String(Number(value.toPrecision(4))));

/** Several trainings on one chart; a click on a point opens that training's groups of its step. */
export function Overlay({
  title,
  note,
  x,
  trainings,
  rows,
  zeroBelow,
}: {
  title: string;
  note: string;
  /** Name of the axis. */
  x: string;
  trainings: Drawn[];
  rows: OverlayRow[];
  /** All values are below this: zero to rounding. null: they are not. */
  zeroBelow: number | null;
}) {
  const router = useRouter();
  const open = (k: number, row: OverlayRow | undefined) => {
    const [training, point] = [trainings[k], row?.own[k] ?? row?.last[k]];
    if (training && point) router.push(`${trainHref(training.id, { step: point.step })}#groups`);
  };
  const every = Math.max(1, Math.floor(rows.length / MARKS));
  return (
    <ChartFrame
      title={title}
      note={note}
      name={`trainings-${trainings.map((t) => t.id).join("-")}`}
      data={{
        header: [x, ...trainings.map((t) => t.name)],
        rows: rows.map((row) => [row.x, ...row.own.map((o) => o?.value ?? null)]),
      }}
      cellHref={(row, column) => {
        const [training, point] = [trainings[column - 1], rows[row]?.own[column - 1]];
        return training && point ? `${trainHref(training.id, { step: point.step })}#groups` : null;
      }}
    >
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {trainings.map((t, k) => (
          <li key={t.id} data-legend className="flex items-center gap-1.5">
            <svg aria-hidden width="34" height="12">
              <line
                x1="0"
                y1="6"
                x2="34"
                y2="6"
                stroke={LOOKS[k]?.stroke}
                strokeWidth="2"
                strokeDasharray={LOOKS[k]?.dash}
              />
              <Mark shape={LOOKS[k]?.shape} cx={17} cy={6} fill={LOOKS[k]?.stroke} />
            </svg>
            <span className="sr-only">{LOOKS[k]?.name}: </span>
            <span className="foreign">{visible(t.name)}</span>
          </li>
        ))}
      </ul>
      <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={{ width: 640, height: HEIGHT }}>
        <LineChart data={rows} margin={{ top: 4, right: 16, bottom: 16, left: 0 }}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="x"
            type="number"
            domain={["dataMin", "dataMax"]}
            tick={AXIS}
            stroke="var(--line-strong)"
            tickFormatter={formatShort}
            label={{ value: x, position: "insideBottom", offset: -8, ...AXIS }}
          />
          <YAxis
            tick={AXIS}
            stroke="var(--line-strong)"
            width={44}
            domain={["auto", "auto"]}
            tickFormatter={tick}
            {...(zeroBelow === null ? {} : zeroAxis(zeroBelow))}
          />
          <Tooltip
            isAnimationActive={false}
            content={({ payload }) => {
              const row = payload?.[0]?.payload as OverlayRow | undefined;
              if (!row) return null;
              return (
                <div className="rounded-md border border-line-strong bg-surface px-2 py-1.5 text-xs shadow-lg">
                  <p className="text-muted">
                    {x} {digits(row.x)}
                  </p>
                  {trainings.map((t, k) => {
                    const point = row.last[k];
                    return (
                      <p key={t.id} className="flex items-center gap-1.5">
                        <svg aria-hidden width="12" height="12">
                          <Mark shape={LOOKS[k]?.shape} cx={6} cy={6} fill={LOOKS[k]?.stroke} />
                        </svg>
                        <span className="foreign">{visible(t.name)}</span>
                        <span className="ml-auto pl-3 tabular-nums">{point ? digits(point.value) : "no step"}</span>
                        {point ? <span className="text-muted">step {point.step}</span> : null}
                      </p>
                    );
                  })}
                </div>
              );
            }}
          />
          {trainings.map((t, k) => (
            <Line
              key={t.id}
              dataKey={(row: OverlayRow) => row.own[k]?.value ?? null}
              name={t.name}
              stroke={LOOKS[k]?.stroke}
              strokeDasharray={LOOKS[k]?.dash}
              strokeWidth={1.5}
              isAnimationActive={false}
              connectNulls
              dot={({ cx, cy, index = 0, value, key, payload }: Dot) =>
                value == null || (index + k) % every !== 0 ? (
                  <g key={key} />
                ) : (
                  <Mark
                    key={key}
                    shape={LOOKS[k]?.shape}
                    cx={cx}
                    cy={cy}
                    fill={LOOKS[k]?.stroke}
                    onClick={() => open(k, payload)}
                  />
                )
              }
              activeDot={({ cx, cy, payload }: Dot) => (
                <Mark
                  shape={LOOKS[k]?.shape}
                  size={6}
                  cx={cx}
                  cy={cy}
                  fill={LOOKS[k]?.stroke}
                  onClick={() => open(k, payload)}
                />
              )}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
