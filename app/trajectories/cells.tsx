import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { cn } from "@/components/cn";
import { OutcomeBadge } from "@/components/data/outcome";
import { Stated } from "@/components/data/stated";
import { Badge } from "@/components/ui/badge";
import type { TrajectoryRow } from "@/db/queries/trajectories";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatReward,
  formatShort,
  formatTime,
  UNKNOWN,
} from "@/lib/text/format";
import { statedName, visible } from "@/lib/text/glyphs";
import { type Column, listHref, type SORTS } from "./search-params";

export type SortName = (typeof SORTS)[number];

interface Cell {
  label: string;
  /** What a click on the header sorts by. */
  sort: SortName | null;
  right?: boolean;
  className?: string;
  render: (row: TrajectoryRow) => React.ReactNode;
}

type Render = (row: TrajectoryRow) => React.ReactNode;

const text =
  (value: (row: TrajectoryRow) => string | null, show = visible, lines = "line-clamp-2"): Render =>
  (row) => (
    <Stated value={value(row)}>
      {(v) => (
        <span className={cn("foreign", lines)} title={show(v)}>
          {show(v)}
        </span>
      )}
    </Stated>
  );
const number =
  (value: (row: TrajectoryRow) => number | null, format: (n: number) => string, title = formatCount): Render =>
  (row) => <Stated value={value(row)}>{(v) => <span title={title(v)}>{format(v)}</span>}</Stated>;

const SHOWN_TYPES = 2;

/** Someone looked for error steps: then none is a number, not a gap. Where there are no steps there was nothing to look at. */
const scanned = (row: TrajectoryRow): boolean => row.rulesVersion !== null || row.errorSteps > 0;

function ErrorSteps({ row }: { row: TrajectoryRow }) {
  if (row.steps > 0 && scanned(row)) return formatCount(row.errorSteps);
  return (
    <span className="text-muted" title={row.steps === 0 ? "it has no steps" : "not scanned yet"}>
      {UNKNOWN}
    </span>
  );
}

function Misbehaviors({ row }: { row: TrajectoryRow }) {
  if (row.types.length === 0)
    return <span className="text-muted">{row.steps === 0 ? "no steps" : scanned(row) ? "none" : "not scanned"}</span>;
  const rest = row.types.slice(SHOWN_TYPES);
  return (
    <span className="flex flex-wrap gap-1">
      {row.types.slice(0, SHOWN_TYPES).map((type) => (
        <Link
          key={type.slug}
          href={listHref({ misbehavior: type.slug })}
          prefetch={false}
          className="max-w-full hover:underline"
        >
          <Badge tone="bad" title={`${type.name}: ${type.errorSteps} error steps`}>
            <TriangleAlert aria-hidden />
            <span className="truncate">{type.name}</span>
            <span>×{type.errorSteps}</span>
          </Badge>
        </Link>
      ))}
      {rest.length > 0 ? (
        <Badge title={rest.map((t) => `${t.name} ×${t.errorSteps}`).join("\n")}>+{rest.length}</Badge>
      ) : null}
    </span>
  );
}

/** How each column looks. */
export const CELLS: Record<Column, Cell> = {
  task: { label: "Task", sort: "task", className: "max-w-64 min-w-28", render: text((r) => r.task, statedName) },
  model: {
    label: "Model",
    sort: "model",
    className: "max-w-56 min-w-36",
    // Seed and step, which tell checkpoints apart, are the end of a name: a clamp at two lines cut just them.
    render: text((r) => r.model, statedName, "line-clamp-4"),
  },
  outcome: {
    label: "Outcome",
    sort: "reward",
    className: "whitespace-nowrap",
    render: (row) => <OutcomeBadge outcome={row.outcome} exception={row.exceptionType} />,
  },
  misbehaviors: {
    label: "Misbehaviors",
    sort: null,
    className: "min-w-44 max-w-80",
    render: (row) => <Misbehaviors row={row} />,
  },
  steps: { label: "Steps", sort: "steps", right: true, render: number((r) => r.steps, formatCount) },
  errors: { label: "Error steps", sort: "errors", right: true, render: (row) => <ErrorSteps row={row} /> },
  tokens: { label: "Tokens", sort: "tokens", right: true, render: number((r) => r.tokens, formatShort) },
  cost: {
    label: "Cost",
    sort: "cost",
    right: true,
    render: number(
      (r) => r.costUsd,
      formatCost,
      (n) => `$${n}`,
    ),
  },
  duration: {
    label: "Duration",
    sort: "duration",
    right: true,
    render: number(
      (r) => r.durationMs,
      formatDuration,
      (n) => `${formatCount(n)} ms`,
    ),
  },
  started: {
    label: "Started (UTC)",
    sort: "started",
    right: true,
    render: number(
      (r) => r.startedAt,
      formatTime,
      (n) => formatTime(n, true),
    ),
  },
  format: { label: "Format", sort: null, className: "whitespace-nowrap", render: text((r) => r.format) },
  agent: { label: "Agent", sort: null, className: "max-w-48", render: text((r) => r.agent) },
  reward: { label: "Reward", sort: "reward", right: true, render: number((r) => r.reward, formatReward, String) },
  exception: { label: "Exception", sort: null, className: "max-w-56", render: text((r) => r.exceptionType) },
};
