import "server-only";
import { NOT_STATED } from "@/components/data/not-stated";
import type { Range, TrajectoryFilters } from "@/db/queries/trajectory-filters";
import type { ListParams, TextRange } from "./search-params";

const DAY = 86_400_000;

function number(text: string): number | null {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

const numbers = (range: TextRange | null): Range => ({
  min: range ? number(range.min) : null,
  max: range ? number(range.max) : null,
});

/** Days in UTC; the last one is included whole. */
function days(range: TextRange | null): Range {
  const day = (text: string | undefined) =>
    text && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const min = day(range?.min);
  const max = day(range?.max);
  return { min: Number.isNaN(min) ? null : min, max: Number.isNaN(max) ? null : max + DAY - 1 };
}

const unstated = (values: string[]): string[] => values.map((v) => (v === NOT_STATED ? "" : v));

/** The filters of a URL as the queries take them. */
export const filtersOf = (params: ListParams): TrajectoryFilters => ({
  q: params.q.trim(),
  formats: params.format,
  models: unstated(params.model),
  tasks: unstated(params.task),
  outcomes: params.outcome,
  misbehavior: params.misbehavior,
  steps: numbers(params.steps),
  tokens: numbers(params.tokens),
  cost: numbers(params.cost),
  started: days(params.started),
  exception: params.exception,
  unaided: params.unaided,
  importedBy: params.import,
  profile: params.profile,
  training: params.training,
  trainingStep: params.trainingStep,
  rolloutGroup: params.rolloutGroup,
  rewarded: params.rewarded,
  measurement: params.measurement,
  measuredCheckpoint: params.measuredCheckpoint,
  measuredType: params.measuredType,
  verdict: params.verdict,
});
