import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { endCounts, judgePairs, labelledCounts, verdictCounts, voidCounts } from "@/db/queries/behaviorRates";
import type { IntervalMethod } from "@/lib/evaluate/stats/bootstrap";
import { visible } from "@/lib/text/glyphs";
import { escapeMarkup, jsonInMarkup } from "@/lib/text/markup";
import { figureSvg } from "./bundleFigure";
import {
  ENDS_HEADER,
  ENDS_NOTE,
  ENDS_TITLE,
  endRows,
  SPLIT_HEADER,
  SPLIT_NOTE,
  SPLIT_TITLE,
  splitRows,
} from "./endsView";
import { knownOf } from "./known";
import { type BehaviorSummary, behaviorSummary } from "./summary";
import {
  axisEnd,
  EVERYTHING,
  figureMarks,
  kappaText,
  METHOD_NAMES,
  percentText,
  pointsText,
  pText,
  rangeText,
  SHOWN_NAMES,
  SHOWN_RATES,
  TABLE_HEADER,
  tableRows,
} from "./view";

const STYLE = `body{margin:2rem auto;max-width:60rem;padding:0 1rem;font:15px/1.5 sans-serif;color:#22262c;background:#fff}
h1{font-size:1.35rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #d5d7da;padding:.25rem .6rem;text-align:left;vertical-align:top}th{color:#5b6068}
td.n,th.n{text-align:right;white-space:nowrap}svg{max-width:100%;height:auto}code{font-family:monospace;overflow-wrap:anywhere}
.warn{border-left:4px solid #8a5a00;padding-left:.6rem}dt{color:#5b6068}dd{margin:0 0 .4rem}
@media print{body{margin:0;max-width:none}h2,svg,tr{break-inside:avoid}.scroll{overflow:visible}table{font-size:9px}}`;

type CellValue = string | number | null;
const said = (value: CellValue): string => (value === null ? "not known" : visible(String(value)));

function table(label: string, header: readonly string[], rows: readonly (readonly CellValue[])[]): string {
  const numeric = header.map((_, i) => rows.some((r) => typeof r[i] === "number"));
  const cell = (tag: "td" | "th", i: number, text: string) =>
    `<${tag}${tag === "th" ? ' scope="col"' : ""}${numeric[i] ? ' class="n"' : ""}>${escapeMarkup(text)}</${tag}>`;
  const head = header.map((h, i) => cell("th", i, h)).join("");
  const body = rows.map((r) => `<tr>${r.map((v, i) => cell("td", i, said(v))).join("")}</tr>`).join("\n");
  return `<div class="scroll"><table aria-label="${escapeMarkup(label)}"><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}

const nameOf = (s: BehaviorSummary, id: number) => s.checkpoints.find((c) => c.id === id)?.name ?? String(id);
const typeOf = (s: BehaviorSummary, id: number) =>
  s.plan.misbehaviors.find((m) => m.errorTypeId === id)?.name ?? String(id);

const warnings = (s: BehaviorSummary): string[] =>
  knownOf(s).map(({ text }) => `<p class="warn">${escapeMarkup(visible(text))}</p>`);

function protocol(s: BehaviorSummary): string {
  const { protocol: p, plan } = s;
  const rows: [string, string][] = [
    ["Checkpoints", s.checkpoints.map((c, i) => (i === 0 ? `${c.name} (base)` : c.name)).join(", ")],
    ["Policies as asked for", JSON.stringify(p.policies)],
    ["Judges", s.judges.join(", ")],
    ["Judges as asked for", JSON.stringify(p.judges)],
    ["Held-out prefixes", plan.misbehaviors.map((m) => `${m.name}: ${m.prefixes.join(", ")}`).join("; ")],
    ["Samples of a prefix", String(p.samples)],
    ["Steps judged", String(p.window)],
    ["After them", p.outcome ? "on to the end of the rollout, and the hidden tests" : "the sample ends"],
    ["Sampling", `temperature ${p.temperature}, top-p ${p.topP}`],
    ["Seed", String(p.seed)],
    ["Intervals", `95%, ${METHOD_NAMES[s.method]} over prefixes, 2,000 resamples, seeded`],
    ["Leaks", p.leaksAllowed ? "allowed, and marked" : "refused"],
  ];
  const dt = ([k, v]: [string, string]) => `<dt>${escapeMarkup(k)}</dt><dd>${escapeMarkup(visible(v))}</dd>`;
  return `<dl>${rows.map(dt).join("\n")}</dl>`;
}

/**
 * A measurement as one HTML file that reads without a server, network or script: figures, tables, protocol, seeds, and the
 * counts behind them as JSON with its SHA-256. The same index gives the same bytes. null: there is no such measurement.
 */
export function measurementBundle(db: Db, id: number, method: IntervalMethod = "studentized"): string | null {
  const s = behaviorSummary(db, id, method);
  if (!s) return null;
  const labelled = s.cells.some((c) => c.corrected !== null);
  const rates = SHOWN_RATES.filter((shown) => shown === "raw" || labelled);
  // Numbers of rows and jobs mean nothing where the file is read; the plan keeps those of prefixes.
  const { jobId: _, ...summary } = s;
  const data = {
    format: "misstep-measurement",
    version: 1,
    summary,
    counts: {
      verdicts: verdictCounts(db, id),
      void: voidCounts(db, id),
      pairs: judgePairs(db, id),
      labelled: labelledCounts(db, id),
      ...(s.ends === null ? {} : { ends: endCounts(db, id) }),
    },
  };
  const json = jsonInMarkup(data);
  const hash = createHash("sha256").update(json).digest("hex");
  const sections = rates.flatMap((shown) => {
    const marks = figureMarks(s, EVERYTHING, shown);
    const end = axisEnd(marks);
    return [
      `<h2>Rates, ${escapeMarkup(SHOWN_NAMES[shown])}</h2>`,
      ...s.judges.flatMap((judge) => [
        `<h3>Judge ${escapeMarkup(visible(judge))}</h3>`,
        figureSvg(
          judge,
          marks.filter((m) => m.judge === judge),
          end,
        ),
      ]),
      table(`Rates, ${SHOWN_NAMES[shown]}`, TABLE_HEADER, tableRows(s, marks, shown)),
    ];
  });
  const title = escapeMarkup(visible(s.name));
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${STYLE}</style></head><body>`,
    `<h1>${title}</h1>`,
    "<p>How often checkpoints misbehave after held-out prefixes. Failed, unparsed and void samples are in no denominator.</p>",
    ...warnings(s),
    s.judges.length === 0 ? "<p>No sample has a verdict.</p>" : "",
    ...(s.judges.length === 0 ? [] : sections),
    ...(s.differences.length === 0
      ? []
      : [
          `<h2>Differences against ${escapeMarkup(visible(s.checkpoints[0]?.name ?? ""))}, as judged</h2>`,
          table(
            "Differences",
            ["Misbehavior", "Checkpoint", "Judge", "Points", "95% interval", "p", "Holm p", "Prefixes"],
            s.differences.map((d) => [
              typeOf(s, d.errorTypeId),
              nameOf(s, d.checkpointId),
              d.judge,
              d.difference.value === null ? null : pointsText(d.difference.value),
              rangeText(d.difference.interval, pointsText),
              pText(d.difference.p),
              pText(d.adjusted),
              d.difference.clusters,
            ]),
          ),
          "<h2>Reductions</h2>",
          table(
            "Reductions",
            ["Checkpoint", "Judge", "Of the mean rate", "Mean over misbehaviors", "Misbehaviors"],
            s.reductions.map((r) => [
              nameOf(s, r.checkpointId),
              r.judge,
              r.ofMeans === null ? null : percentText(r.ofMeans),
              r.meanOf === null ? null : percentText(r.meanOf),
              r.misbehaviors,
            ]),
          ),
        ]),
    ...(s.ends === null
      ? []
      : [
          `<h2>${ENDS_TITLE}</h2><p>${ENDS_NOTE}</p>`,
          table(ENDS_TITLE, ENDS_HEADER, endRows(s)),
          `<h2>${SPLIT_TITLE}</h2><p>${SPLIT_NOTE}</p>`,
          table(SPLIT_TITLE, SPLIT_HEADER, splitRows(s)),
        ]),
    ...(s.agreements.length === 0
      ? []
      : [
          "<h2>Agreement of judges</h2>",
          table(
            "Agreement",
            [
              "Misbehavior",
              "Checkpoint",
              "First",
              "Second",
              "Both yes",
              "First alone",
              "Second alone",
              "Both no",
              "Agreement",
              "Kappa",
            ],
            s.agreements.map((a) => [
              ...[typeOf(s, a.errorTypeId), nameOf(s, a.checkpointId), a.first, a.second],
              ...[a.table.bothBad, a.table.firstBad, a.table.secondBad, a.table.bothGood],
              a.agreement === null ? null : percentText(a.agreement),
              a.kappa === null ? null : kappaText(a.kappa),
            ]),
          ),
        ]),
    "<h2>Protocol</h2>",
    protocol(s),
    "<h2>Data</h2>",
    `<p>The counts by prefix behind every number are in this file, in the element <code>data</code>, as JSON. SHA-256 of its text: <code>${hash}</code></p>`,
    `<script type="application/json" id="data">${json}</script>`,
    "</body></html>",
    "",
  ].join("\n");
}
