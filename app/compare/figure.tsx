"use client";
import { listHref } from "@/app/trajectories/search-params";
import { ChartFrame } from "@/components/charts/frame";
import { LOOKS, Mark } from "@/components/charts/marks";
import type { FigureMark } from "@/lib/evaluate/behavior/view";
import { TABLE_HEADER } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";
import { RatePanel } from "./rate-panel";

const lookOf = (place: number) => LOOKS[place % LOOKS.length] as (typeof LOOKS)[number];

/** The samples behind a mark. */
const hrefOf = (id: number, mark: FigureMark): string =>
  listHref({ measurement: id, measuredCheckpoint: mark.checkpointId, measuredType: mark.errorTypeId });

/** Rates by misbehavior and checkpoint with their intervals, a panel a judge (paper Fig. 7). */
export function RateFigure({
  id,
  title,
  note,
  marks,
  rows,
  end,
}: {
  id: number;
  title: string;
  note: string;
  marks: FigureMark[];
  /** The same as a table, in the columns of TABLE_HEADER. */
  rows: (string | number | null)[][];
  /** End of the axis. */
  end: number;
}) {
  const judges = [...new Set(marks.map((m) => m.judge))];
  const checkpoints = [...new Map(marks.map((m) => [m.checkpointId, m])).values()];
  const rateColumn = TABLE_HEADER.indexOf("Rate (%)");
  return (
    <ChartFrame
      title={title}
      note={note}
      name={`misbehavior-rates-${id}`}
      data={{ header: TABLE_HEADER, rows }}
      cellHref={(row, column) => {
        const mark = marks[row];
        return mark && column === rateColumn ? hrefOf(id, mark) : null;
      }}
    >
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {checkpoints.map((m) => (
          <li key={m.checkpointId} data-legend className="flex items-center gap-1.5">
            <svg aria-hidden width="26" height="12">
              <line x1="0" y1="6" x2="26" y2="6" stroke={lookOf(m.place).stroke} strokeWidth="2" />
              <Mark shape={lookOf(m.place).shape} cx={13} cy={6} fill={lookOf(m.place).stroke} />
            </svg>
            <span className="sr-only">{lookOf(m.place).shape}: </span>
            <span className="foreign">
              {visible(m.checkpoint)}
              {m.place === 0 ? " (base)" : ""}
            </span>
          </li>
        ))}
      </ul>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        {judges.map((judge) => (
          <RatePanel
            key={judge}
            judge={judge}
            end={end}
            rows={marks.filter((m) => m.judge === judge).map((mark) => ({ mark, href: hrefOf(id, mark) }))}
          />
        ))}
      </div>
    </ChartFrame>
  );
}
