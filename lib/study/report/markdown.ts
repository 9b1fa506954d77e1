import { formatDuration, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { blockTable, type CellValue } from "./tables";
import type { StudyReport } from "./types";
import { VERDICT_RULE } from "./verdict";

/** A text in Markdown: nothing in it is markup or ends a cell. */
const plain = (text: string): string =>
  visible(text)
    .replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[\\`*_{}[\]|~]|#(?!\d+;)/g, "\\$&")
    .replace(/\s+/g, " ");
const cell = (value: CellValue): string => (value === null ? "not known" : plain(String(value)));

function table(header: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header.map(plain)), line(header.map(() => "---")), ...rows.map((r) => line(r.map(cell)))].join("\n");
}

/** The report as one Markdown file; charts are tables in it. */
export function reportMarkdown(r: StudyReport): string {
  return [
    `# Study report (${plain(r.design.scale)}, seed ${r.design.seed})`,
    r.finished ? "" : "**Not finished: phases without an end are left out below.**",
    r.answer === null ? "" : plain(r.answer),
    ...r.aim.flatMap((part) => [`### ${plain(part.title)}`, part.sentences.map((s) => `- ${plain(s)}`).join("\n")]),
    "## How it was made",
    `On ${plain(r.machine.cpu)} (${r.machine.cores} cores), Node ${plain(r.machine.node)}.`,
    table(
      ["Phase", "Started (UTC)", "Took", "Made"],
      r.phases.map((p) => [
        p.title,
        p.startedAt === null ? "not yet" : formatTime(p.startedAt),
        p.finishedAt === null || p.ms === null ? "not finished" : formatDuration(p.ms),
        p.made ?? "nothing yet",
      ]),
    ),
    table(
      ["Stage", "Here", "Published", "What"],
      r.funnel.map((f) => [f.name, f.value ?? "not there yet", f.published, f.note]),
    ),
    ...(r.findings.length === 0
      ? []
      : [
          "## Findings of the paper",
          plain(VERDICT_RULE),
          table(
            ["Finding", "Published", "Here", "Verdict", "Why"],
            r.findings.map((f) => [
              f.claim,
              f.published,
              f.own.map((o) => ownText(o)).join("; ") || "nothing measured",
              f.verdict,
              f.why,
            ]),
          ),
        ]),
    ...r.figures.flatMap((f) => [
      `## ${plain(f.number)}: ${plain(f.title)}`,
      ...(f.absent === null ? [] : [plain(f.absent)]),
      ...f.notes.map((n) => plain(n)),
      ...f.blocks.flatMap((b) => {
        const { header, rows } = blockTable(b);
        return [`### ${plain(b.title)}`, ...(b.note ? [plain(b.note)] : []), table(header, rows)];
      }),
    ]),
    "",
  ]
    .filter((part, i, all) => part !== "" || i === all.length - 1)
    .join("\n\n");
}

/** An own number of a finding in words. */
export function ownText({ label, value, interval, unit }: StudyReport["findings"][number]["own"][number]): string {
  const say = (x: number) => `${unit !== "%" && x > 0 ? "+" : ""}${x.toFixed(1)}${unit === "points" ? "" : "%"}`;
  if (value === null) return `${label}: not known`;
  return `${label}: ${say(value)}${unit === "points" ? " points" : ""}${interval ? ` (${say(interval.low)} to ${say(interval.high)})` : ""}`;
}
