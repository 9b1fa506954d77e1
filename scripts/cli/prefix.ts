import { Command, InvalidArgumentError, Option } from "commander";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { NO_PREFIX_FILTERS } from "@/db/queries/prefix-filters";
import { listPrefixes, PREFIX_SORTS, type PrefixRow, type PrefixSort } from "@/db/queries/prefixes";
import { type DrawParams, drawPrefixes, UnknownMisbehavior } from "@/lib/prefix/sample";
import { CAUSES, PREFIX_STATUSES } from "@/lib/prefix/types";
import { formatCount, UNKNOWN } from "@/lib/text/format";
import { checkMisbehavior } from "./misbehavior";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { pickTaxonomy } from "./taxonomy/pick";

/** A whole number within bounds. */
export function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const n = Number(text);
    if (!/^-?\d+$/.test(text) || n < min || n > max)
      throw new InvalidArgumentError(`a whole number from ${min} to ${max}`);
    return n;
  };
}

/** A number; its bounds are checked with the settings it is one of. Number("") is 0, which nobody meant. */
export function decimal(text: string): number {
  const n = Number(text);
  if (text.trim() === "" || !Number.isFinite(n)) throw new InvalidArgumentError("a number, as 0.001");
  return n;
}

function share(text: string): number {
  const n = Number(text);
  if (text.trim() === "" || !(n >= 0 && n <= 1)) throw new InvalidArgumentError("a share from 0 to 1");
  return n;
}

interface SampleOptions extends JsonOption {
  per: number;
  seed: number;
  misbehavior?: string[];
  heldOut: number;
  taxonomy?: string;
}

/** Drawn ones that are in no part, because their trajectories name no environment to split by. */
function neither({ drawn, training, heldout }: DrawParams["types"][number]): string {
  const n = drawn - training - heldout;
  return n === 0 ? "" : `, ${n} in neither (no environment named)`;
}

function sampleCommand(): Command {
  return new Command("sample")
    .description("draw misbehavior prefixes: N a misbehavior, never one step twice, split by environment")
    .requiredOption("--per <n>", "prefixes a misbehavior", whole(1, 10_000))
    .requiredOption("--seed <n>", "the same seed over the same data draws the same", whole(-(2 ** 31), 2 ** 31 - 1))
    .option("--misbehavior <slug...>", "only these misbehaviors")
    .option("--taxonomy <version>", "draw under this version: id, name or name@version (default: the one in force)")
    .option("--held-out <share>", "share of the environments that are held out", share, 0.3)
    .option("--json", "print the draw as JSON")
    .action((options: SampleOptions) => {
      const db = openIndex();
      const request = {
        studyId: 1,
        per: options.per,
        seed: options.seed,
        heldOut: options.heldOut,
        taxonomyId: options.taxonomy === undefined ? null : pickTaxonomy(db, options.taxonomy).id,
        misbehaviors: options.misbehavior ?? [],
      };
      try {
        const { drawId, params } = drawPrefixes(db, request);
        print(options, { draw: drawId, ...params }, () => [
          `draw ${drawId}: ${formatCount(params.types.reduce((n, t) => n + t.drawn, 0))} prefixes of ${formatCount(params.candidates)} error steps`,
          ...params.types.map(
            (t) =>
              `  ${t.slug.padEnd(24)} ${`${t.drawn} of ${t.asked}`.padStart(12)}  ${t.training} training, ${t.heldout} held out${neither(t)}, ${formatCount(t.available)} available`,
          ),
        ]);
      } catch (error) {
        if (error instanceof UnknownMisbehavior) throw new UsageError(error.message);
        throw error;
      }
    });
}

interface ListOptions extends JsonOption {
  misbehavior?: string[];
  status?: string[];
  cause?: string[];
  split?: string[];
  environment?: string[];
  draw?: number;
  sort: PrefixSort;
  asc?: boolean;
  limit: number;
  after?: string;
}

/** One prefix in a line. */
export const prefixLine = (row: PrefixRow): string =>
  [
    String(row.id).padStart(6),
    row.status.padEnd(9),
    (row.cause ?? "").padEnd(12),
    `${row.exact}/${row.reruns}`.padStart(5),
    `trajectory ${row.trajectoryId} ${row.number === null ? `entry ${row.entry}` : `step ${row.number}`}`.padEnd(28),
    `${formatCount(row.commands)} commands`.padStart(13),
    (row.environment ?? UNKNOWN).slice(0, 32).padEnd(32),
    row.misbehaviorSlug ?? "",
    row.voidReason ?? "",
  ]
    .join("  ")
    .trimEnd();

function listCommand(): Command {
  return new Command("list")
    .description("list prefixes: filter, sort, page")
    .option("--misbehavior <slug...>", "misbehaviors")
    .addOption(new Option("--status <status...>", "states").choices(PREFIX_STATUSES))
    .addOption(new Option("--cause <cause...>", "causes of the first difference").choices(CAUSES))
    .addOption(new Option("--split <split...>", "parts").choices(["training", "heldout"]))
    .option("--environment <name...>", "environments")
    .option("--draw <id>", "prefixes of a draw; 0: made on demand", whole(0, Number.MAX_SAFE_INTEGER))
    .addOption(new Option("--sort <key>", "sort by").choices(PREFIX_SORTS).default("newest"))
    .option("--asc", "ascending")
    .option("--limit <n>", "rows", whole(1, 1000), 50)
    .option("--after <cursor>", "go on after this place (printed at the end of a page)")
    .option("--json", "print JSON")
    .action((options: ListOptions) => {
      const cursor = options.after === undefined ? null : decodeCursor(options.after);
      if (options.after !== undefined && cursor === null)
        throw new UsageError(`"${options.after}" is no cursor; use the one printed at the end of a page`);
      const db = openIndex();
      for (const slug of options.misbehavior ?? []) checkMisbehavior(db, slug, [""]);
      const page = listPrefixes(db, {
        filters: {
          ...NO_PREFIX_FILTERS,
          misbehaviors: options.misbehavior ?? [],
          statuses: options.status ?? [],
          causes: options.cause ?? [],
          splits: options.split ?? [],
          environments: options.environment ?? [],
          draw: options.draw ?? null,
        },
        sort: options.sort,
        direction: options.asc ? "asc" : "desc",
        limit: options.limit,
        cursor,
        before: false,
      });
      const next = page.next && encodeCursor(page.next);
      print(options, { total: page.total, next, prefixes: page.rows }, () => [
        ...page.rows.map(prefixLine),
        `${formatCount(page.rows.length)} of ${formatCount(page.total)}${next ? `; more: --after ${next}` : ""}`,
      ]);
    });
}

/** misstep prefix */
export function prefixCommand(): Command {
  return new Command("prefix")
    .description("prefixes: states that rollouts may start from")
    .addCommand(sampleCommand().exitOverride())
    .addCommand(listCommand().exitOverride());
}
