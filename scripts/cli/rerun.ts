import { Command, Option } from "commander";
import type { Db } from "@/db/client";
import { stepId } from "@/db/ids";
import { NO_PREFIX_FILTERS } from "@/db/queries/prefix-filters";
import { rerunsOf } from "@/db/queries/prefix-page";
import { prefixIds, prefixRow } from "@/db/queries/prefixes";
import { entryOfStep } from "@/db/queries/reader-head";
import { DEFAULT_REPEATS, MAX_REPEATS, PARALLEL } from "@/lib/jobs/executors/rerun";
import { EXPLANATIONS } from "@/lib/prefix/explain";
import { prefixOfStep } from "@/lib/prefix/sample";
import { type Cause, PREFIX_STATUSES } from "@/lib/prefix/types";
import { DRIVERS } from "@/lib/sandbox/types";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { checkDriver } from "./driver";
import { type OnOption, onOption, placeOf } from "./on";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { prefixLine, whole } from "./prefix";
import { runToEnd } from "./runJob";

interface RerunOptions extends JsonOption, OnOption {
  trajectory?: string;
  step?: number;
  draw?: number;
  status?: string;
  repeats: number;
  through?: boolean;
  driver?: string;
}

/** The prefixes that are meant. Naming none at all is no way to rerun everything by accident. */
function chosen(db: Db, given: string[], options: RerunOptions): number[] {
  const ids = given.map(parseId);
  for (const id of ids)
    if (!prefixRow(db, id)) throw new UsageError(`there is no prefix ${id}; "misstep prefix list" shows all`);
  if ((options.trajectory === undefined) !== (options.step === undefined))
    throw new UsageError("--trajectory and --step belong together");
  if (options.trajectory !== undefined && options.step !== undefined) {
    const trajectory = parseId(options.trajectory);
    const entry = entryOfStep(db, trajectory, options.step);
    if (entry === null) throw new UsageError(`trajectory ${trajectory} has no step ${options.step}`);
    ids.push(prefixOfStep(db, stepId(trajectory, entry)));
  }
  if (options.draw !== undefined || options.status !== undefined)
    ids.push(
      ...prefixIds(db, {
        ...NO_PREFIX_FILTERS,
        draw: options.draw ?? null,
        statuses: options.status === undefined ? [] : [options.status],
      }),
    );
  else if (ids.length === 0)
    throw new UsageError("name prefixes, or use --trajectory with --step, --draw or --status; see misstep prefix list");
  if (ids.length === 0) throw new UsageError("no prefix matches; see misstep prefix list");
  return [...new Set(ids)];
}

/** What a prefix came to, with the newest rerun that says why. */
function reportOf(db: Db, id: number, jobId: number) {
  const row = prefixRow(db, id);
  if (!row) throw new Error(`prefix ${id} vanished from the index`);
  const reruns = rerunsOf(db, id, MAX_REPEATS).filter((r) => r.jobId === jobId);
  return { ...row, results: reruns.toReversed() };
}

function explained(cause: string | null): string {
  if (cause === null) return "";
  const { sentence, fix } = EXPLANATIONS[cause as Cause];
  return `${" ".repeat(8)}${sentence} ${fix}`;
}

/** misstep rerun */
export function rerunCommand(): Command {
  return new Command("rerun")
    .description(
      "can these states be reached again? Replays the commands in a fresh sandbox and compares what the policy saw. Exit code 0: all kept, 1: some are not",
    )
    .argument("[prefix...]", "ids of prefixes")
    .option("--trajectory <id>", "with --step: the prefix that ends before this step of a trajectory")
    .option("--step <n>", "step number", whole(1, 1_048_576))
    .option("--draw <id>", "all prefixes of a draw; 0: those made on demand", whole(0, Number.MAX_SAFE_INTEGER))
    .addOption(new Option("--status <status>", "all prefixes in this state").choices(PREFIX_STATUSES))
    .option("--repeats <n>", "reruns a prefix; it is kept when all are exact", whole(1, MAX_REPEATS), DEFAULT_REPEATS)
    .option("--through", "go on after the first difference, so that the other rules are known too")
    .addOption(new Option("--driver <driver>", "only this sandbox driver").choices(DRIVERS))
    .addOption(onOption())
    .option("--json", "print JSON")
    .action(async (given: string[], options: RerunOptions) => {
      const db = openIndex();
      if (options.driver !== undefined && placeOf(options) === "local") await checkDriver(options.driver);
      const prefixes = chosen(db, given, options);
      const job = await runToEnd(db, {
        kind: "rerun",
        title: `Rerun ${plural(prefixes.length, "prefix", "prefixes")}`,
        params: {
          prefixes,
          repeats: options.repeats,
          mode: options.through ? "through" : "stop",
          ...(options.driver === undefined ? {} : { driver: options.driver }),
        },
        place: placeOf(options),
        requestedBy: "cli",
      });
      const reports = prefixes.map((id) => reportOf(db, id, job.id));
      const kept = reports.filter((r) => r.status === "kept").length;
      const took =
        job.started_at !== null && job.finished_at !== null
          ? ` in ${formatDuration(job.finished_at - job.started_at)}`
          : "";
      print(
        options,
        { job: job.id, status: job.status, kept, of: reports.length, error: job.error, prefixes: reports },
        () => [
          ...reports.flatMap((r) => [
            prefixLine(r),
            ...(r.status === "kept" ? [] : [explained(r.cause)].filter(Boolean)),
          ]),
          `${formatCount(kept)} of ${formatCount(reports.length)} kept; job ${job.id} ${job.status}${took} ${job.place === "local" ? `with ${PARALLEL} at a time` : `on ${job.place}`}`,
        ],
      );
      if (job.status !== "done" || kept < reports.length) process.exitCode = 1;
    });
}
