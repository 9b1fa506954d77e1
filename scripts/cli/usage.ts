import { Command, Option } from "commander";
import { type CallTotals, callTotals, NO_CALL_FILTERS } from "@/db/queries/calls";
import { getJob } from "@/lib/jobs/queue";
import { ROLE_NAMES } from "@/lib/model/chat/types";
import { formatCount, formatMoney, formatShort, UNKNOWN } from "@/lib/text/format";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";

interface UsageOptions extends JsonOption {
  job?: string;
  model?: string[];
  role?: string[];
}

const short = (n: number | null): string => (n === null ? UNKNOWN : formatShort(n));

function line(row: CallTotals): string {
  const cost =
    row.costs.length === 0
      ? row.unknownCost > 0
        ? UNKNOWN
        : "0"
      : row.costs.map(({ currency, nano }) => formatMoney(nano, currency)).join(" + ");
  const notes = [
    row.failed > 0 ? `${formatCount(row.failed)} failed` : "",
    row.unparsed > 0 ? `${formatCount(row.unparsed)} unparsed` : "",
    row.fromCache > 0 ? `${formatCount(row.fromCache)} from the cache` : "",
    row.unknownTokens > 0 ? `tokens of ${formatCount(row.unknownTokens)} not stated` : "",
    row.unknownCost > 0 ? `cost of ${formatCount(row.unknownCost)} not known` : "",
  ].filter((note) => note !== "");
  return [
    row.model.padEnd(24),
    row.role.padEnd(18),
    `${formatCount(row.calls)} calls`.padStart(14),
    `${short(row.input)} in`.padStart(10),
    `${short(row.cached)} cached`.padStart(14),
    `${short(row.output)} out`.padStart(10),
    cost.padStart(12),
    notes.join(", "),
  ].join("  ");
}

/** misstep usage */
export function usageCommand(): Command {
  return new Command("usage")
    .description("what model calls used and cost, by model and role")
    .option("--job <id>", "calls of one job")
    .option("--model <model...>", "names of models in the settings")
    .addOption(new Option("--role <role...>", "roles").choices(ROLE_NAMES))
    .option("--json", "print JSON; costs are billionths of their currency")
    .action((options: UsageOptions) => {
      const job = options.job === undefined ? null : parseId(options.job);
      const db = openIndex();
      if (job !== null && !getJob(db, job)) throw new UsageError(`there is no job ${job}`);
      const rows = callTotals(db, { ...NO_CALL_FILTERS, job, models: options.model ?? [], roles: options.role ?? [] });
      print(options, rows, () => (rows.length === 0 ? "no calls" : rows.map(line)));
    });
}
