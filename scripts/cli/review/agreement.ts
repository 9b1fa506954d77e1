import { Command } from "commander";
import type { Interval } from "@/lib/evaluate/intervals";
import { type Coefficient, UNDEFINED_TEXT } from "@/lib/evaluate/stats/agreement/coefficient";
import type { Rate } from "@/lib/evaluate/stats/rate";
import type { Counted } from "@/lib/review/agreement/gold";
import type { Measures } from "@/lib/review/agreement/measures";
import { agreementReport } from "@/lib/review/agreement/report";
import { type JsonOption, openIndex, print, UsageError } from "@/scripts/cli/output";
import { whole } from "@/scripts/cli/prefix";
import { CLI, pickQueue } from "./pick";

const three = (n: number): string => n.toFixed(3).replace(/^-(0\.0+)$/, "$1");
const percent = (n: number): string => `${(100 * n).toFixed(1)}%`;
const interval = (i: Interval | null, digits: (n: number) => string): string =>
  i === null ? "" : ` [${digits(i.low)}, ${digits(i.high)}]`;
const coefficient = ({ value, reason, interval: i }: Coefficient): string =>
  value === null
    ? `not defined${reason === null ? "" : `: ${UNDEFINED_TEXT[reason]}`}`
    : `${three(value)}${interval(i, three)}`;
const rate = ({ numerator, denominator, interval: i }: Rate): string =>
  denominator === 0
    ? "none"
    : `${numerator} of ${denominator}, ${percent(numerator / denominator)}${interval(i, percent)}`;
const share = ({ hits, of, interval: i }: Counted): string =>
  of === 0 ? "none" : `${hits} of ${of}, ${percent(hits / of)}${interval(i, percent)}`;

const lines = (m: Measures & { masi?: Coefficient | null }): string[] => [
  `  same answer ${rate(m.raw)}`,
  `  Cohen       ${coefficient(m.cohen)} (mean of ${m.cohen.defined} of ${m.cohen.pairs} pairs)`,
  `  Fleiss      ${coefficient(m.fleiss)}`,
  `  alpha       ${coefficient(m.alpha)}`,
  ...(m.masi ? [`  alpha MASI  ${coefficient(m.masi)}`] : []),
];

/** misstep review agreement */
export const agreementCommand = (): Command =>
  new Command("agreement")
    .description("how far the people of a queue agree, overall and by type, with 95% intervals")
    .argument("<queue>", "number or name")
    .option("--round <n>", "of a norming queue: 1 blind, 2 after the reveal", whole(1, 2), 1)
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption & { round: number }) => {
      const db = openIndex();
      const report = agreementReport(db, pickQueue(db, given).id, CLI, options.round);
      if (!report) throw new UsageError(`there is no review queue "${given}"`);
      const person = new Map(report.raters.map((r) => [r.personId, r.person]));
      print(options, report, () => [
        `${report.queue.name}: ${report.items} items, ${report.shared} with two answers or more`,
        "all answers (unsure and environment are categories of their own; skips are missing)",
        ...lines(report.overall[0]),
        "without unsure and environment",
        ...lines(report.overall[1]),
        ...report.types.flatMap((t) => [`${t.name} (named in ${t.said} answers)`, ...lines(t)]),
        ...report.pairs.map(
          (p) =>
            `${person.get(p.first)} and ${person.get(p.second)}: ${p.items} items of both, ${p.same} the same, kappa ${coefficient(p.kappa)}`,
        ),
        ...report.raters.map(
          (r) =>
            `${r.person}: ${r.answers} answers, ${r.unsure} unsure, ${r.environment} environment, ${r.skipped} skipped; ${r.medianSeconds === null ? "time not known" : `median ${r.medianSeconds.toFixed(1)} s`}; too fast ${share(r.tooFast)}; same as others ${share(r.withOthers)}`,
        ),
        ...report.known.map(
          (k) =>
            `${k.person} on ${k.kind} items: accuracy ${share(k.accuracy)}; precision ${share(k.precision)}; recall ${share(k.recall)}`,
        ),
      ]);
    });
