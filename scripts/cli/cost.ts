import { Command } from "commander";
import { costReport, type Money } from "@/lib/evaluate/cost/report";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { type JsonOption, openIndex, print } from "./output";

const money = (m: Money): string =>
  Object.entries(m)
    .map(([currency, nano]) => `${(nano / 1e9).toFixed(4)} ${currency}`)
    .join(" + ") || "none";

/** misstep cost */
export function costCommand(): Command {
  return new Command("cost")
    .description("what trainings and model calls used, measured, beside what the paper's formulas say of it")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const report = costReport(openIndex());
      print(options, report, () => [
        ...report.trainings.map(
          (t) =>
            `${t.name.padEnd(20)} ${t.recipe.padEnd(15)} ${plural(t.steps, "step")}, ${formatCount(t.rollouts)} rollouts (formula with profile ${t.estimatedRollouts === null ? "–" : formatCount(Math.round(t.estimatedRollouts))}, measured with profile ${formatCount(t.allRollouts)}), ${plural(t.environments, "environment")}, dead ${(100 * t.deadShare).toFixed(1)}%, ${t.tokens === null ? "tokens not known" : `${formatCount(t.tokens)} tokens`}, ${t.ms === null ? "time not known" : formatDuration(t.ms)}, calls ${money(t.costs)}${t.unpriced > 0 ? `, ${plural(t.unpriced, "call")} without a cost` : ""}`,
        ),
        ...report.ledger.map(
          (r) =>
            `${(r.kind ?? "no job").padEnd(12)} ${r.role.padEnd(18)} ${r.model}: ${plural(r.calls, "call")}, in ${formatCount(r.input)} (uncached ${r.uncached === null ? "–" : `${(100 * r.uncached).toFixed(1)}%`}), out ${formatCount(r.output)}, ${r.costNano === null ? "cost not known" : `${(r.costNano / 1e9).toFixed(6)} ${r.currency}`}${r.unpriced > 0 ? `, ${r.unpriced} without a cost` : ""}`,
        ),
        `${formatCount(report.kept)} of ${plural(report.rerun, "rerun prefix", "rerun prefixes")} kept; model calls before training, a kept prefix: ${report.perKeptPrefix === null ? "no kept prefix" : money(report.perKeptPrefix)}`,
      ]);
    });
}
