import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import type { StudyDesign } from "@/lib/study/design";
import type { Phase } from "@/lib/study/state";
import type { PooledEstimate } from "./pool";
import type { Verdict } from "./verdict";

/** A value with its error, as a bar. `href`: address of the rows behind it in the app; null: nowhere. */
export interface ReportBar {
  name: string;
  /** Percent or points; null: not known, nothing is drawn. */
  value: number | null;
  low: number | null;
  high: number | null;
  says: string;
  href: string | null;
  published?: boolean;
}

/** An amount made of parts. */
export interface ReportStack {
  name: string;
  parts: { label: string; value: number | null }[];
  says: string;
  href: string | null;
  published?: boolean;
}

/** Points in the order of x. */
export interface ReportCurve {
  name: string;
  points: { x: number; y: number; low?: number | null; high?: number | null; says: string; href: string | null }[];
  published?: boolean;
  /** Shows where points would lie by a rule. */
  guide?: boolean;
  /** Marks alone: the points are no course of anything. */
  apart?: boolean;
}

/** One task under one policy; null: not attempted. */
export interface ReportCell {
  task: string;
  solved: number;
  attempts: number;
  void: number;
  href: string | null;
}

/** What a page, a Markdown file and an HTML file draw in their own ways; `name` is unique in a report and names downloads. */
export type Block = { name: string; title: string; note?: string } & (
  | { kind: "bars"; unit: "%" | "points"; whisker: string; bars: ReportBar[] }
  | { kind: "stacks"; unit: string; say: "count" | "percent" | "money"; bars: ReportStack[] }
  | { kind: "curves"; xLabel: string; yLabel: string; log?: boolean; curves: ReportCurve[] }
  | { kind: "strip"; tasks: string[]; rows: { name: string; cells: (ReportCell | null)[] }[] }
  | {
      kind: "table";
      header: string[];
      rows: (string | number | null)[][];
      /** Where the first cell of each row leads. */
      links?: (string | null)[];
    }
);

/** One figure or table of the paper from the study's own data, beside what was printed. */
export interface Figure {
  id: string;
  /** As the paper numbers it (PDF). */
  number: string;
  title: string;
  blocks: Block[];
  /** What own data cannot show here, in words; null: it shows all of it. */
  absent: string | null;
  notes: string[];
}

/** One seed of a recipe under one judge, or in scores. Shares of 1. */
export interface SeedValue {
  seed: number;
  checkpointId: number;
  checkpoint: string;
  value: number | null;
}

/** A recipe pooled over its training seeds. */
export interface PooledRecipe {
  recipe: string;
  title: string;
  seeds: SeedValue[];
  mean: PooledEstimate;
  /** rates: reduction of the mean rate against base, a share of 1; scores: gain over base. */
  against: PooledEstimate;
  /** First recipe − this one; null for the first one itself. */
  difference: PooledEstimate | null;
}

/** Mean misbehavior rates on unseen prefixes under one judge. */
export interface PooledRates {
  judge: string;
  base: PooledEstimate;
  recipes: PooledRecipe[];
  /** By misbehavior, of base and of each recipe; shares of 1. `change`: recipe − base. */
  misbehaviors: {
    slug: string;
    name: string;
    errorTypeId: number;
    base: PooledEstimate;
    recipes: { recipe: string; mean: PooledEstimate; change: PooledEstimate }[];
  }[];
  /** Names of those without verdicts under every policy: in no mean. */
  left: string[];
  prefixes: number;
}

/** Held-out scores. */
export interface PooledScores {
  base: PooledEstimate;
  recipes: PooledRecipe[];
  environments: number;
}

/** How often the task is passed from unseen prefixes on, to the end of the rollout. */
export interface PooledEnds {
  base: PooledEstimate;
  recipes: PooledRecipe[];
  prefixes: number;
}

export interface PhaseReport {
  phase: Phase;
  title: string;
  startedAt: number | null;
  finishedAt: number | null;
  /** Time worked on it, pauses between runs left out. */
  ms: number | null;
  /** What it made, in words; null: nothing yet. */
  made: string | null;
  href: string | null;
}

export interface FunnelStage {
  name: string;
  value: number | null;
  published: number | null;
  note: string;
  href: string | null;
}

/** A finding of the paper, with own numbers. */
export interface Finding {
  id: string;
  claim: string;
  /** Section or figure of the paper; null: of this study's aim. */
  source: string | null;
  published: string;
  own: {
    label: string;
    value: number | null;
    interval: Interval | null;
    unit: "%" | "points" | "change";
    href: string | null;
  }[];
  verdict: Verdict;
  why: string;
}

/** One part of the answer to the aim, in sentences. */
export interface AimPart {
  title: string;
  sentences: string[];
}

export interface StudyReport {
  format: "misstep-study-report/1";
  design: StudyDesign;
  machine: { cores: number; cpu: string; node: string };
  /** All phases ended. */
  finished: boolean;
  phases: PhaseReport[];
  funnel: FunnelStage[];
  /** The shortest answer; null: nothing is measured yet. */
  answer: string | null;
  /** The aim, answered. */
  aim: AimPart[];
  rates: PooledRates[];
  scores: PooledScores | null;
  ends: PooledEnds | null;
  findings: Finding[];
  figures: Figure[];
}
