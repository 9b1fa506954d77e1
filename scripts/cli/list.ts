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
import { checkMisbehavior } from "./misbehavior";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";

const ANY_OF_THEM = ["any", "unlabelled", "none"];

interface ListOptions extends JsonOption {
  q?: string;
  format?: string[];
  model?: string[];
  task?: string[];
  outcome?: string[];
  misbehavior?: string;
  profile?: number;
  training?: number;
  measurement?: number;
  unaided?: boolean;
  aided?: boolean;
  sort: SortKey;
  asc?: boolean;
  limit: number;
  after?: string;
}

const id = whole(1, Number.MAX_SAFE_INTEGER);

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
    profile: options.profile ?? null,
    training: options.training ?? null,
    measurement: options.measurement ?? null,
    unaided: options.unaided ? true : options.aided ? false : null,
  };
}

const MAKERS = {
  profile: ["profile", "see GET /api/v1/profiles or the page /profiles"],
  training: ["training_run", "see the page /train"],
  measurement: ["evaluation", "see the page /compare"],
} as const;

/** Nor is one that nobody made a finding. */
function checkMakers(db: Db, options: Partial<ListOptions>): void {
  for (const [what, [table, where]] of Object.entries(MAKERS)) {
    const id = options[what as keyof typeof MAKERS];
    if (id === undefined) continue;
    const there = db.$client.prepare(`select 1 from ${table} where id = ?`).get(id);
    if (there === undefined) throw new UsageError(`there is no ${what} ${id}; ${where}`);
  }
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
    .option("--profile <id>", "only rollouts of this profile", id)
    .option("--training <id>", "only rollouts that this training made", id)
    .option("--measurement <id>", "only rollouts that this measurement made", id)
    .addOption(
      new Option(
        "--unaided",
        "only unaided rollouts: whole ones that nobody helped, as rates by model count them",
      ).conflicts("aided"),
    )
    .option("--aided", "only rollouts from a prefix or under a teacher")
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
      if (options.misbehavior !== undefined) checkMisbehavior(db, options.misbehavior, ANY_OF_THEM);
      checkMakers(db, options);
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
