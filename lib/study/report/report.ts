import "server-only";
import type { Db } from "@/db/client";
import { PHASES, type StudyState } from "@/lib/study/state";
import { aimParts, answerSentence } from "./aim";
import { contextOf } from "./context";
import { disputedSentences } from "./disputed";
import { figure4, table2 } from "./figures/distribution";
import { figure1 } from "./figures/figure1";
import { figure5 } from "./figures/figure5";
import { figure6, stepsOf } from "./figures/figure6";
import { figure7 } from "./figures/figure7";
import { figure8 } from "./figures/figure8";
import { figure11 } from "./figures/figure11";
import { figure12 } from "./figures/figure12";
import { figure9, figure10 } from "./figures/resources";
import { table4 } from "./figures/table4";
import { findingsOf } from "./findings";
import { funnelOf, phaseReports } from "./phases";
import { seedSentences } from "./seeds";
import type { StudyReport } from "./types";

/** In the order of the paper. */
const FIGURES = [
  figure1,
  figure4,
  table2,
  figure5,
  figure6,
  figure7,
  figure8,
  figure9,
  figure10,
  table4,
  figure11,
  figure12,
];

/** The whole study as data: what every reader (page, Markdown, HTML) draws. Phases that have not ended are said to be absent. */
export function buildReport(db: Db, state: StudyState): StudyReport {
  const context = contextOf(db, state);
  return {
    format: "misstep-study-report/1",
    design: state.design,
    machine: state.machine,
    finished: PHASES.every((phase) => context.ended.has(phase)),
    phases: phaseReports(context),
    funnel: funnelOf(context),
    answer: answerSentence(context),
    aim: aimParts(context, stepsOf(context), [...seedSentences(context), ...disputedSentences(context)]),
    rates: context.rates,
    scores: context.scores,
    ends: context.ends,
    findings: findingsOf(context),
    figures: FIGURES.map((figure) => figure(context)),
  };
}
