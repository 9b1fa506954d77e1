import { Command } from "commander";
import { agreementTables, type LocalizerRow, labelDatasets, listLocalizers } from "@/db/queries/localizers";
import { addTables, agreementOf, EMPTY_TABLE, kappaOf, sizeOf, tableBootstrap } from "@/lib/evaluate/agreement";
import type { Interval } from "@/lib/evaluate/intervals";
import { localizerScore, type Share } from "@/lib/evaluate/localizerScores";
import { localizersAgainstPeople } from "@/lib/evaluate/people/localizers";
import { RECALL_UNKNOWN } from "@/lib/evaluate/people/quality";
import type { Rate } from "@/lib/evaluate/stats/rate";
import { formatCount } from "@/lib/text/format";
import { type JsonOption, openIndex, print } from "./output";

const nameOf = ({ name, version }: Pick<LocalizerRow, "name" | "version">): string => `${name} ${version}`;
const number = (n: number | null): string => (n === null ? "-" : formatCount(n));
/** Three decimals; what rounds to nothing has no sign. */
const three = (n: number): string => n.toFixed(3).replace(/^-(0\.0+)$/, "$1");
const interval = (i: Interval | null, digits: (n: number) => string): string =>
  i === null ? "" : ` [${digits(i.low)}, ${digits(i.high)}]`;
const percent = (n: number): string => `${(100 * n).toFixed(1)}%`;
const rate = ({ numerator, denominator, interval: i }: Rate): string =>
  denominator === 0
    ? "not known: none"
    : `${numerator} of ${denominator}, ${percent(numerator / denominator)}${interval(i, percent)}`;
const hits = ({ hits: n, of, interval: i }: Share): string =>
  of === 0 ? "none can be" : `${n} of ${of}, ${percent(n / of)}${interval(i, percent)}`;

/** misstep localizers */
export function localizersCommand(): Command {
  return new Command("localizers")
    .description("what each localizer said, how far they agree, and how they do against labels by people")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const db = openIndex();
      const rows = listLocalizers(db);
      const judges = rows.filter((row) => row.kind === "rule" || row.kind === "model");
      const pairs = judges.flatMap((first, i) =>
        judges.slice(i + 1).map((second) => {
          const clusters = agreementTables(db, first, second);
          const table = clusters.reduce(addTables, EMPTY_TABLE);
          const key = `${nameOf(first)}\0${nameOf(second)}`;
          return {
            first: nameOf(first),
            second: nameOf(second),
            steps: sizeOf(table),
            ...table,
            agreement: agreementOf(table),
            kappa: kappaOf(table),
            kappaInterval: tableBootstrap(clusters, kappaOf, key),
          };
        }),
      );
      const people = localizersAgainstPeople(db);
      const scores = labelDatasets(db).flatMap((dataset) =>
        judges.map((judge) => ({ localizer: nameOf(judge), ...localizerScore(db, dataset, judge) })),
      );
      print(options, { localizers: rows, pairs, people, scores }, () => [
        "localizer                              trajectories     judged        bad       good     failed unreadable",
        ...rows.map((r) =>
          [
            `${r.kind} ${nameOf(r)}`.slice(0, 36).padEnd(38),
            ...[r.trajectories, r.judged, r.bad, r.good, r.failed, r.unparsed].map((n) => number(n).padStart(11)),
          ].join(""),
        ),
        ...pairs.map(
          (p) =>
            `${p.first} and ${p.second}: ${formatCount(p.steps)} steps judged by both, both bad ${p.bothBad}, first alone ${p.firstBad}, second alone ${p.secondBad}, kappa ${p.kappa === null ? "not defined" : three(p.kappa)}${interval(p.kappaInterval, three)}`,
        ),
        ...people.flatMap((q) => [
          `${nameOf(q.localizer)} and ${q.people.kind === "person" ? "settled reviews" : `people of ${q.people.name}`}: ${formatCount(q.steps)} steps in ${formatCount(q.clusters)} trajectories, wrong by both ${q.table.bothBad}, people alone ${q.table.firstBad}, localizer alone ${q.table.secondBad}`,
          `  same verdict  ${q.agreement === null ? "not known" : percent(q.agreement)}${interval(q.agreementInterval, percent)}`,
          `  kappa         ${q.kappa === null ? "not defined" : three(q.kappa)}${interval(q.kappaInterval, three)}`,
          `  precision     ${rate(q.precision)}${q.people.kind === "dataset" ? "; steps the data set does not mark are taken for right" : ""}`,
          `  recall        ${"notKnown" in q.recall ? `not known: ${RECALL_UNKNOWN[q.recall.notKnown]}` : rate(q.recall)}`,
        ]),
        ...scores.flatMap((s) => [
          `${s.localizer} on ${s.dataset}: first flag against the step people call decisive; ${s.judged} of ${s.labelled} labelled trajectories judged, ${s.withoutFlag} of them without any flag`,
          `  exact         ${hits(s.exact)}`,
          `  within one    ${hits(s.withinOne)}`,
          `  within three  ${hits(s.withinThree)}`,
          `  any flag hits ${hits(s.among)}`,
          `  same type     ${hits(s.sameType)}${s.unmappable > 0 ? `; ${s.unmappable} have a category without counterpart, or none` : ""}`,
        ]),
      ]);
    });
}
