import { formatDuration, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { escapeMarkup } from "@/lib/text/markup";
import { ownText } from "./markdown";
import { blockSvg } from "./svg";
import { blockTable, type CellValue } from "./tables";
import type { Block, StudyReport } from "./types";
import { VERDICT_RULE } from "./verdict";

const STYLE = `:root{color-scheme:light dark;--bg:#fff;--text:#22262c;--muted:#5b6068;--line:#d5d7da;--strong:#8d9299;--accent:#20607c;--soft:#a9c9d8;--warn:#8a5a00;--good:#1f6b3a;--bad:#a3261c}
@media (prefers-color-scheme:dark){:root{--bg:#15181d;--text:#e4e6ea;--muted:#a3a9b2;--line:#343a43;--strong:#7c838d;--accent:#6fc0de;--soft:#2c4a58;--warn:#e0b25a;--good:#7fcf9a;--bad:#f0958a}}
body{margin:2rem auto;max-width:64rem;padding:0 1rem;font:15px/1.5 sans-serif;color:var(--text);background:var(--bg)}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin-top:2.2rem;border-top:1px solid var(--line);padding-top:.8rem}h3{font-size:1rem;margin-bottom:.3rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}th{color:var(--muted)}
td.n,th.n{text-align:right;white-space:nowrap}svg{max-width:100%;height:auto;display:block}p{max-width:48rem}.muted{color:var(--muted)}
.warn{border-left:4px solid var(--warn);padding-left:.6rem}summary{cursor:pointer;color:var(--muted)}
@media print{:root{--bg:#fff;--text:#000;--muted:#444;--line:#ccc;--accent:#20607c;--soft:#a9c9d8}body{margin:0;max-width:none}h2,h3{break-after:avoid}svg,tr{break-inside:avoid}.scroll{overflow:visible}table{font-size:9px}}`;

const text = (value: string): string => escapeMarkup(visible(value));
const said = (value: CellValue): string => (value === null ? "not known" : text(String(value)));

function table(label: string, header: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  const numeric = header.map((_, i) => rows.some((r) => typeof r[i] === "number"));
  const mark = (i: number) => (numeric[i] ? ' class="n"' : "");
  const head = header.map((h, i) => `<th scope="col"${mark(i)}>${text(h)}</th>`).join("");
  const body = rows.map((r) => `<tr>${r.map((v, i) => `<td${mark(i)}>${said(v)}</td>`).join("")}</tr>`).join("\n");
  return `<div class="scroll"><table aria-label="${text(label)}"><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}

function block(b: Block): string {
  const { header, rows } = blockTable(b);
  const drawn = blockSvg(b);
  const data = table(b.title, header, rows);
  return [
    `<h3>${text(b.title)}</h3>`,
    b.note ? `<p class="muted">${text(b.note)}</p>` : "",
    drawn,
    drawn === "" ? data : `<details><summary>The same as a table</summary>${data}</details>`,
  ].join("\n");
}

/** The report as one HTML file that reads without a server, network or script. The same report gives the same bytes. */
export function reportHtml(r: StudyReport): string {
  const title = text(`Study report (${r.design.scale}, seed ${r.design.seed})`);
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${STYLE}</style></head><body>`,
    `<h1>${title}</h1>`,
    r.finished ? "" : '<p class="warn">Not finished: phases without an end are left out below.</p>',
    r.answer === null ? "" : `<p>${text(r.answer)}</p>`,
    ...r.aim.map(
      (part) => `<h3>${text(part.title)}</h3><ul>${part.sentences.map((s) => `<li>${text(s)}</li>`).join("\n")}</ul>`,
    ),
    "<h2>How it was made</h2>",
    `<p>On ${text(r.machine.cpu)} (${r.machine.cores} cores), Node ${text(r.machine.node)}.</p>`,
    table(
      "Phases",
      ["Phase", "Started (UTC)", "Took", "Made"],
      r.phases.map((p) => [
        p.title,
        p.startedAt === null ? "not yet" : formatTime(p.startedAt),
        p.finishedAt === null || p.ms === null ? "not finished" : formatDuration(p.ms),
        p.made ?? "nothing yet",
      ]),
    ),
    table(
      "Funnel",
      ["Stage", "Here", "Published", "What"],
      r.funnel.map((f) => [f.name, f.value ?? "not there yet", f.published, f.note]),
    ),
    ...(r.findings.length === 0
      ? []
      : [
          "<h2>Findings of the paper</h2>",
          `<p class="muted">${text(VERDICT_RULE)}</p>`,
          table(
            "Findings",
            ["Finding", "Published", "Here", "Verdict", "Why"],
            r.findings.map((f) => [
              f.claim,
              f.published,
              f.own.map(ownText).join("; ") || "nothing measured",
              f.verdict,
              f.why,
            ]),
          ),
        ]),
    ...r.figures.flatMap((f) => [
      `<h2>${text(`${f.number}: ${f.title}`)}</h2>`,
      ...(f.absent === null ? [] : [`<p class="warn">${text(f.absent)}</p>`]),
      ...f.notes.map((n) => `<p class="muted">${text(n)}</p>`),
      ...f.blocks.map(block),
    ]),
    "</body></html>",
    "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}
