import { Command, InvalidArgumentError, Option } from "commander";
import type { Db } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import {
  type Direction,
  listTrajectories,
  SORT_KEYS,
  type SortKey,
  type TrajectoryRow,
} from "@/db/queries/trajectories";
import { NO_FILTERS, type TrajectoryFilters } from "@/db/queries/trajectory-filters";
import { formatCost, formatCount, formatReward, formatShort, UNKNOWN } from "@/lib/text/format";
import { FORMATS, OUTCOMES } from "@/lib/trajectory/types";
import { type JsonOption, openIndex, print, UsageError } from "./output";

const ANY_OF_THEM = ["any", "unlabelled", "none"];

interface ListOptions extends JsonOption {
  q?: string;
  format?: string[];
  model?: string[];
  task?: string[];
  outcome?: string[];
  misbehavior?: string;
  sort: SortKey;
  asc?: boolean;
  limit: number;
  after?: string;
}

function limit(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1 || n > 1000) throw new InvalidArgumentError("a whole number from 1 to 1000");
  return n;
}

/** Filters out of options. */
function filtersOf(options: Partial<ListOptions>): TrajectoryFilters {
  return {
    ...NO_FILTERS,
    q: options.q ?? "",
    formats: options.format ?? [],
    models: options.model ?? [],
    tasks: options.task ?? [],
    outcomes: options.outcome ?? [],
    misbehavior: options.misbehavior ?? null,
  };
}

/** A slug nobody has would list nothing, which reads like a finding. */
function checkMisbehavior(db: Db, given: string): void {
  const slugs = db.$client.prepare("select distinct slug from error_type order by slug").pluck().all() as string[];
  const known = [...ANY_OF_THEM, ...slugs];
  if (!known.includes(given.replace(/@\d+$/, "")))
    throw new UsageError(`"${given}" is no misbehavior; there are ${known.join(", ")}`);
}

function line(row: TrajectoryRow): string {
  const flags = row.types.map((t) => `${t.slug}×${t.errorSteps}`).join(" ");
  const reward = row.reward === null ? "" : ` ${formatReward(row.reward)}`;
  return [
    String(row.id).padStart(6),
    (row.task ?? row.name ?? UNKNOWN).slice(0, 40).padEnd(40),
    (row.model ?? UNKNOWN).slice(0, 24).padEnd(24),
    `${row.outcome}${reward}`.padEnd(12),
    `${formatCount(row.steps)} steps`.padStart(12),
    (row.tokens === null ? UNKNOWN : formatShort(row.tokens)).padStart(7),
    (row.costUsd === null ? UNKNOWN : formatCost(row.costUsd)).padStart(8),
    row.errorSteps > 0 ? `${row.errorSteps} flagged ${flags}` : "",
  ].join("  ");
}

/** misstep list */
export function listCommand(): Command {
  return new Command("list")
    .description("list trajectories: filter, sort, page")
    .option("-q, --q <text>", "part of name, task or model")
    .addOption(new Option("--format <format...>", "source formats").choices(FORMATS))
    .option("--model <model...>", "models")
    .option("--task <task...>", "environments")
    .addOption(new Option("--outcome <outcome...>", "outcomes").choices(OUTCOMES))
    .option("--misbehavior <slug>", "a misbehavior's slug, or any, unlabelled, none")
    .addOption(new Option("--sort <key>", "sort by").choices(SORT_KEYS).default("newest"))
    .option("--asc", "ascending")
    .option("--limit <n>", "rows", limit, 50)
    .option("--after <cursor>", "go on after this place (printed at the end of a page)")
    .option("--json", "print JSON")
    .action((options: ListOptions) => {
      const cursor = options.after === undefined ? null : decodeCursor(options.after);
      if (options.after !== undefined && cursor === null)
        throw new UsageError(`"${options.after}" is no cursor; use the one printed at the end of a page`);
      const direction: Direction = options.asc ? "asc" : "desc";
      const db = openIndex();
      if (options.misbehavior !== undefined) checkMisbehavior(db, options.misbehavior);
      const page = listTrajectories(db, {
        filters: filtersOf(options),
        sort: options.sort,
        direction,
        limit: options.limit,
        cursor,
        before: false,
      });
      const next = page.next && encodeCursor(page.next);
      print(options, { total: page.total, next, trajectories: page.rows }, () => [
        ...page.rows.map(line),
        `${formatCount(page.rows.length)} of ${formatCount(page.total)}${next ? `; more: --after ${next}` : ""}`,
      ]);
    });
}
