"use client";
import { ChartFrame } from "@/components/charts/frame";
import { LOOKS, Mark } from "@/components/charts/marks";
import { type DrawnMark, RatePanel } from "./rate-panel";

const lookOf = (place: number) => LOOKS[place % LOOKS.length] ?? LOOKS[0];

/** Rates that a paper printed, in the panels that draw one's own. */
export function PublishedFigure({
  title,
  note,
  subjects,
  marks,
}: {
  title: string;
  note: React.ReactNode;
  /** Names in the order of `place`. */
  subjects: string[];
  marks: { judge: string; href: string; mark: DrawnMark }[];
}) {
  const judges = [...new Set(marks.map((m) => m.judge))];
  const end = Math.ceil(10 * Math.max(...marks.map((m) => m.mark.value ?? 0))) / 10;
  return (
    <ChartFrame
      title={title}
      note={note}
      name="misbehavior-rates-published"
      data={{
        header: ["Misbehavior, policy and judge", "Rate (%)", "Source"],
        rows: marks.map(({ judge, mark }) => [
          `${mark.misbehavior}, ${subjects[mark.place]}, ${judge}`,
          mark.value === null ? null : Math.round(mark.value * 1000) / 10,
          "published",
        ]),
        links: marks.map((m) => m.href),
      }}
    >
      <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {subjects.map((name, place) => (
          <li key={name} data-legend className="flex items-center gap-1.5">
            <svg aria-hidden width="26" height="12">
              <line x1="0" y1="6" x2="26" y2="6" stroke={lookOf(place).stroke} strokeWidth="2" />
              <Mark shape={lookOf(place).shape} cx={13} cy={6} fill={lookOf(place).stroke} />
            </svg>
            {name} (published)
          </li>
        ))}
      </ul>
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        {judges.map((judge) => (
          <RatePanel
            key={judge}
            judge={judge}
            end={end}
            leadsTo="the misbehavior"
            rows={marks.filter((m) => m.judge === judge)}
          />
        ))}
      </div>
    </ChartFrame>
  );
}
