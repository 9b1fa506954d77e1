import type { Interval, IntervalMethod } from "@/lib/evaluate/stats/bootstrap";
import type { Refusal } from "@/lib/evaluate/stats/corrected";
import { plural } from "@/lib/text/format";
import type { BehaviorCell, BehaviorDifference, BehaviorSummary } from "./summary";

/** Which rate is shown: as the judge said it, or corrected by people's labels. */
export const SHOWN_RATES = ["raw", "rogan-gladen", "ppi"] as const;
export type ShownRate = (typeof SHOWN_RATES)[number];

export const SHOWN_NAMES: Record<ShownRate, string> = {
  raw: "raw: as the judge said",
  "rogan-gladen": "corrected: Rogan-Gladen",
  ppi: "corrected: PPI++",
};
export const METHOD_NAMES: Record<IntervalMethod, string> = {
  studentized: "studentized bootstrap",
  percentile: "percentile bootstrap",
  bca: "BCa bootstrap",
};

/** One mark of the figure: a rate, or why there is none. */
export interface FigureMark {
  checkpointId: number;
  checkpoint: string;
  /** Place of the checkpoint in the protocol: its look. */
  place: number;
  errorTypeId: number;
  slug: string;
  misbehavior: string;
  judge: string;
  /** In [0, 1]. null: not known; `why` says why. */
  value: number | null;
  why: string | null;
  interval: Interval | null;
  leaked: boolean;
  /** Everything behind the number, a sentence a line. */
  lines: string[];
  cell: BehaviorCell;
  difference: BehaviorDifference | null;
}

/** 0.1234 as "12.3%"; whole numbers where they are exact; what is not 0 never reads as 0. */
export function percentText(x: number): string {
  const percent = 100 * x;
  if (Math.abs(percent - Math.round(percent)) < 1e-9) return `${Math.round(percent)}%`;
  const text = percent.toFixed(1);
  return Number(text) === 0 ? `${percent < 0 ? "-" : ""}<0.1%` : `${text}%`;
}

/** A difference of shares in percentage points, signed. */
export const pointsText = (x: number): string => `${x > 0 ? "+" : ""}${(100 * x).toFixed(1)}`;

export const rangeText = (interval: Interval | null, say: (x: number) => string = percentText): string =>
  interval === null ? "not known" : `${say(interval.low)} to ${say(interval.high)}`;

/** Kappa in two digits, without a negative zero. */
export const kappaText = (kappa: number): string => kappa.toFixed(2).replace(/^-(0\.00)$/, "$1");

/** p-values in four digits; never 0. */
export const pText = (p: number | null): string =>
  p === null ? "not known" : p < 0.0001 ? "<0.0001" : String(Number(p.toFixed(4)));

/** Why a rate is not corrected, in a sentence. */
export function refusalText(refused: Refusal): string {
  if (refused.why === "no-labels") return "No window of it has a label of people yet.";
  if (refused.why === "one-sided")
    return "People said only yes, or only no, of the labelled windows: sensitivity or specificity is not known.";
  return `Refused: sensitivity + specificity - 1 is ${refused.informedness.toFixed(2)}, so the judge hardly tells the two apart and a corrected rate would be noise.`;
}

const counts = (cell: BehaviorCell): string | null => {
  const parts = [
    ...(cell.failed > 0 ? [`${cell.failed} failed`] : []),
    ...(cell.unparsed > 0 ? [`${cell.unparsed} unparsed`] : []),
    ...(cell.void > 0 ? [`${cell.void} void`] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
};

function shownOf(cell: BehaviorCell, shown: ShownRate): Pick<FigureMark, "value" | "why" | "interval"> {
  if (shown === "raw") {
    const { value, interval } = cell.rate;
    return { value, interval, why: value === null ? "No sample has a verdict yet." : null };
  }
  const corrected = shown === "ppi" ? cell.corrected?.predictionPowered : cell.corrected?.roganGladen;
  if (corrected === undefined) return { value: null, interval: null, why: refusalText({ why: "no-labels" }) };
  if ("refused" in corrected) return { value: null, interval: null, why: refusalText(corrected.refused) };
  return { value: corrected.value, interval: corrected.interval, why: null };
}

const share = (x: number | null): string => (x === null ? "not known" : percentText(x));

function linesOf(s: BehaviorSummary, mark: Omit<FigureMark, "lines">, shown: ShownRate): string[] {
  const { cell, difference, interval, value, why } = mark;
  const { numerator, denominator, clusters } = cell.rate;
  const open = counts(cell);
  const raw = `Judge said yes to ${numerator} of ${plural(denominator, "sample")}${denominator === 0 ? "" : ` (${percentText(numerator / denominator)})`}.`;
  const quality = cell.corrected?.quality;
  const base = s.checkpoints[0]?.name;
  return [
    `${mark.misbehavior}, ${mark.checkpoint}: ${value === null ? "not known" : percentText(value)}${shown === "raw" ? "" : ` (${SHOWN_NAMES[shown]})`}`,
    ...(why === null ? [] : [why]),
    raw,
    ...(shown === "raw" || !quality
      ? []
      : [
          `${plural(quality.labels, "label")} of people: sensitivity ${share(quality.sensitivity)}, specificity ${share(quality.specificity)}.`,
        ]),
    interval === null
      ? `No interval is known: ${plural(clusters, "prefix", "prefixes")} with a verdict.`
      : `95% interval ${rangeText(interval)}: ${METHOD_NAMES[s.method]} over ${plural(clusters, "prefix", "prefixes")}, seed ${s.protocol.seed}.`,
    open === null ? "Every sample has a verdict." : `Not counted: ${open}.`,
    ...(cell.leaked > 0
      ? [`Marked: ${cell.leaked} of the verdicts are on prefixes of environments it was trained in.`]
      : []),
    ...(difference === null || difference.difference.value === null
      ? []
      : [
          `Against ${base}, as judged: ${pointsText(difference.difference.value)} points (${rangeText(difference.difference.interval, pointsText)}), p ${pText(difference.difference.p)}, Holm ${pText(difference.adjusted)}.`,
        ]),
  ];
}

/** What the figure is narrowed to; an empty list is all. */
export interface FigureChoice {
  judges: readonly string[];
  checkpoints: readonly number[];
  misbehaviors: readonly string[];
}
export const EVERYTHING: FigureChoice = { judges: [], checkpoints: [], misbehaviors: [] };

const chosen = <T>(list: readonly T[], value: T): boolean => list.length === 0 || list.includes(value);

/** What is told of checkpoints as a whole, of the chosen ones and judges alone. Numbers stay: none of them is over checkpoints. */
export const narrowed = (s: BehaviorSummary, { checkpoints, judges }: FigureChoice): BehaviorSummary => ({
  ...s,
  reductions: s.reductions.filter((r) => chosen(checkpoints, r.checkpointId) && chosen(judges, r.judge)),
  ends:
    s.ends === null
      ? null
      : s.ends
          .filter((e) => chosen(checkpoints, e.checkpointId))
          .map((e) => ({ ...e, byJudge: e.byJudge.filter(({ judge }) => chosen(judges, judge)) })),
});

/** The marks of a measurement, by judge, misbehavior and checkpoint in the order of the protocol. */
export function figureMarks(s: BehaviorSummary, choice: FigureChoice, shown: ShownRate): FigureMark[] {
  return s.judges
    .filter((judge) => chosen(choice.judges, judge))
    .flatMap((judge) =>
      s.plan.misbehaviors
        .filter((m) => chosen(choice.misbehaviors, m.slug))
        .flatMap(({ errorTypeId, slug, name }) =>
          s.checkpoints.flatMap((checkpoint, place) => {
            if (!chosen(choice.checkpoints, checkpoint.id)) return [];
            const same = (x: { checkpointId: number; errorTypeId: number; judge: string }) =>
              x.checkpointId === checkpoint.id && x.errorTypeId === errorTypeId && x.judge === judge;
            const cell = s.cells.find(same);
            if (!cell) return [];
            const mark = {
              checkpointId: checkpoint.id,
              checkpoint: checkpoint.name,
              place,
              ...{ errorTypeId, slug, misbehavior: name, judge, cell },
              ...shownOf(cell, shown),
              leaked: cell.leaked > 0,
              difference: s.differences.find(same) ?? null,
            };
            return [{ ...mark, lines: linesOf(s, mark, shown) }];
          }),
        ),
    );
}

const NICE = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

/** End of the axis of rates, the same for all panels: the first round number that holds all marks. */
export function axisEnd(marks: readonly FigureMark[]): number {
  const most = Math.max(0, ...marks.map((m) => Math.max(m.value ?? 0, m.interval?.high ?? 0)));
  return NICE.find((end) => end >= most - 1e-9) ?? 1;
}

export const TABLE_HEADER = [
  "Misbehavior",
  "Checkpoint",
  "Judge",
  "Rate (%)",
  "Low (%)",
  "High (%)",
  "Judged yes",
  "Judged",
  "Failed",
  "Unparsed",
  "Void",
  "Leaked",
  "Prefixes",
  "Labels",
  "Difference (points)",
  "Difference low",
  "Difference high",
  "p",
  "Holm p",
  "Shown",
  "Interval",
  "Seed",
];

const percent = (x: number | null | undefined): number | null => (x == null ? null : Number((100 * x).toFixed(4)));

/** The marks as a table, in the columns of TABLE_HEADER; null: not known. */
export const tableRows = (s: BehaviorSummary, marks: readonly FigureMark[], shown: ShownRate) =>
  marks.map(({ cell, difference, ...m }): (string | number | null)[] => [
    m.misbehavior,
    m.checkpoint,
    m.judge,
    percent(m.value),
    percent(m.interval?.low),
    percent(m.interval?.high),
    cell.rate.numerator,
    cell.rate.denominator,
    cell.failed,
    cell.unparsed,
    cell.void,
    cell.leaked,
    cell.rate.clusters,
    cell.corrected?.quality.labels ?? 0,
    percent(difference?.difference.value),
    percent(difference?.difference.interval?.low),
    percent(difference?.difference.interval?.high),
    difference?.difference.p ?? null,
    difference?.adjusted ?? null,
    SHOWN_NAMES[shown],
    METHOD_NAMES[s.method],
    s.protocol.seed,
  ]);

/** Claims that only some judges support, in sentences. */
export const contestedTexts = (s: BehaviorSummary): string[] =>
  s.contested.map(({ checkpointId, errorTypeId, shown, notShown }) => {
    const checkpoint = s.checkpoints.find((c) => c.id === checkpointId)?.name ?? "";
    const misbehavior = s.plan.misbehaviors.find((m) => m.errorTypeId === errorTypeId)?.name ?? "";
    return `That ${checkpoint} has less of “${misbehavior}” than ${s.checkpoints[0]?.name ?? "the first"} holds only under ${shown.join(", ")}; under ${notShown.join(", ")} the interval of the difference is not below zero.`;
  });
