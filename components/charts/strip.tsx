"use client";
import { useWidth } from "./estimated";
import { ChartFrame } from "./frame";

/** One task under one policy: solved of attempts; null: it was not attempted, or every attempt is void. */
export interface StripCell {
  task: string;
  solved: number;
  attempts: number;
  void: number;
  href: string | null;
}

const [ROW, HEAD] = [44, 6];

/** One column a task, one row a policy: how full a cell is says how many attempts solved it. */
export function TaskStrip({
  title,
  note,
  name,
  tasks,
  rows,
}: {
  title: string;
  note?: React.ReactNode;
  name: string;
  /** In the order of columns. */
  tasks: readonly string[];
  rows: readonly { name: string; cells: readonly (StripCell | null)[] }[];
}) {
  const [box, width] = useWidth();
  const cell = Math.max(5, Math.min(22, (width - 8) / Math.max(1, tasks.length)));
  const wide = Math.ceil(cell * tasks.length + 8);
  return (
    <ChartFrame
      title={title}
      note={note}
      name={name}
      data={{
        header: ["Task and model", "Solved", "Rollouts", "Void"],
        rows: rows.flatMap((r) =>
          r.cells.map((c, i) => [`${tasks[i]}, ${r.name}`, c?.solved ?? null, c?.attempts ?? null, c?.void ?? null]),
        ),
        links: rows.flatMap((r) => r.cells.map((c) => c?.href ?? "")),
      }}
    >
      <p className="mb-1 text-xs text-muted" data-legend>
        filled from below: share of attempts that solved the task; empty: none did; crossed: no attempt counts
      </p>
      <div ref={box} className="min-w-0 overflow-x-auto">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing with links in it is no form field. */}
        <svg className="recharts-surface" width={wide} height={rows.length * ROW + HEAD} role="group">
          {rows.map((r, at) => {
            const top = HEAD + at * ROW;
            return (
              <g key={r.name}>
                <text x={2} y={top + 10} fontSize={11} fill="var(--text)">
                  {r.name}
                </text>
                {r.cells.map((c, i) => {
                  const x = 4 + i * cell;
                  const says = c
                    ? `${r.name}, ${c.task}: ${c.solved} of ${c.attempts} solved${c.void > 0 ? `, ${c.void} void` : ""}`
                    : `${r.name}, ${tasks[i]}: not attempted`;
                  const full = c && c.attempts > 0 ? (22 * c.solved) / c.attempts : 0;
                  const drawn = (
                    <>
                      <title>{says}</title>
                      <rect
                        x={x}
                        y={top + 15}
                        width={cell - 1.5}
                        height={22}
                        fill="var(--raised)"
                        stroke="var(--line-strong)"
                        strokeWidth={0.5}
                      />
                      <rect x={x} y={top + 37 - full} width={cell - 1.5} height={full} fill="var(--accent)" />
                      {!c || c.attempts === 0 ? (
                        <path d={`M${x},${top + 15}l${cell - 1.5},22`} stroke="var(--muted)" strokeWidth={0.75} />
                      ) : null}
                    </>
                  );
                  return c?.href ? (
                    <a key={tasks[i]} href={c.href} aria-label={says}>
                      {drawn}
                    </a>
                  ) : (
                    <g key={tasks[i]}>{drawn}</g>
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
    </ChartFrame>
  );
}
